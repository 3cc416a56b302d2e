/**
 * Evaluates the rules: (state, observation) → (state, alerts). Stale data is never evaluated: such rules are listed in
 * `blind`, keep their level, and only the stale-data rule fires.
 */
import { amount } from '../../amount.ts';
import type { AccountInfo, Position } from '../../exchange-api/account.ts';
import { MARGIN_MODE, marginModeWord } from '../../exchange-api/enums.ts';
import { type EquityPast, equityMove, withEquity } from './equity-change.ts';
import { type Fill, type FillsSeen, newFills, NO_FILLS_SEEN } from './new-fills.ts';
import { type SystemClose, systemCloseOf } from '../history/system-close.ts';
import { isDue, judge, type Level, type Standing, UNRAISED } from './hysteresis.ts';
import {
  coverStanding,
  isEquitySpent,
  isolatedCover,
  marginStanding,
  standingAbove,
  standingBelow,
  wayToLiquidation,
} from './conditions.ts';
import {
  type Alert,
  type AlertRule,
  type AlertRules,
  keyOf,
  type LastingRule,
  type LevelRule,
  type Observation,
} from './rules.ts';
import {
  equityWords,
  fillWords,
  isolatedMarginWords,
  liquidationWords,
  marginWords,
  staleWords,
  systemCloseWords,
  unknownWords,
} from './messages.ts';
import { ratioUnits, shareOf } from '../margin/ratio-unit.ts';

export interface AlertState {
  readonly levels: ReadonlyMap<string, Level>;
  readonly equity: EquityPast;
  readonly seen: FillsSeen;
  /** Fills held back by the repeat interval. */
  readonly fills: readonly Fill[];
}
export const FIRST_STATE: AlertState = { levels: new Map(), equity: [], seen: NO_FILLS_SEEN, fills: [] };

export interface Blind {
  readonly rule: AlertRule;
  readonly why: string;
}
export interface Watched {
  readonly state: AlertState;
  readonly alerts: readonly Alert[];
  readonly blind: readonly Blind[];
  /** Keys that are over their threshold, or not yet clear of the band. */
  readonly raised: readonly string[];
}

/** Most severe first: while danger is raised, caution is suppressed but recorded as fired. */
const MARGIN_RULES = ['margin-danger', 'margin'] as const;
const FORGET_MS = 24 * 3_600_000;
/** A close by the exchange while Ballast was not running is reported up to this age. */
const MISSED_MS = 7 * 24 * 3_600_000;
const RULE_OF = { liquidation: 'liquidated', delivery: 'delivered' } as const;

export function watch(before: AlertState, seen: Observation, rules: AlertRules): Watched {
  const { now } = seen;
  const levels = new Map<string, Level>();
  const alerts: Alert[] = [];
  const blind: Blind[] = [];
  const raised: string[] = [];

  /** Evaluates one subject and returns whether it is raised. Calls `say` only when it fires. */
  function weigh(
    rule: LastingRule,
    subject: string,
    standing: Standing,
    say: () => Omit<Alert, 'rule' | 'key'>,
    quiet = false,
  ): boolean {
    const key = keyOf(rule, subject);
    const { level, tell } = judge(
      before.levels.get(key) ?? UNRAISED,
      rules[rule].on ? standing : 'clear',
      now,
      rules[rule].repeatMinutes,
      quiet,
    );
    levels.set(key, level);
    if (tell) alerts.push({ rule, key, ...say() });
    if (level.raised && standing !== null) raised.push(key);
    return level.raised;
  }
  const cannot = (rule: AlertRule, why: string): void => {
    if (rules[rule].on) blind.push({ rule, why });
  };

  weighUnknown();
  weighStale();
  let { equity } = before;
  if (seen.account === null)
    for (const rule of ['liquidation-danger', 'liquidation', 'margin-danger', 'margin', 'equity'] as const)
      cannot(rule, seen.accountOld ?? 'the account has not been read');
  else {
    for (const position of seen.account.positions) weighPosition(position);
    weighMargins(seen.account);
    equity = weighEquity(seen.account);
  }
  const told = weighFills();
  keepRest();
  return {
    state: { levels, equity, ...told },
    alerts,
    blind,
    raised,
  };

  function weighUnknown(): void {
    for (const one of seen.unknown) weigh('unknown', one.id, 'over', () => unknownWords(one));
  }

  function weighStale(): void {
    const old = seen.accountAgeMs >= rules.stale.afterSeconds * 1_000;
    weigh('stale', 'account', old ? 'over' : 'clear', () => staleWords(seen.accountAgeMs));
  }

  function weighPosition(position: Position): void {
    const way = wayToLiquidation(position);
    if (way === null) {
      const why = `${position.symbolId} has no mark price`;
      cannot('liquidation-danger', why);
      cannot('liquidation', why);
    }
    const standing = (rule: 'liquidation' | 'liquidation-danger'): Standing =>
      way === null ? null : way === 'none' ? 'clear' : standingBelow(way.way, way.mark, rules[rule]);
    const say = (rule: 'liquidation' | 'liquidation-danger') => () => liquidationWords(position, rules[rule]);
    const id = position.positionId;
    const danger = weigh('liquidation-danger', id, standing('liquidation-danger'), say('liquidation-danger'));
    weigh('liquidation', id, standing('liquidation'), say('liquidation'), danger);
  }

  /** Evaluates margins: cross by the exchange's rate, isolated by the position's own fields. */
  function weighMargins(account: AccountInfo): void {
    const { unit } = ratioUnits(account, seen.ratioUnit).margin;
    for (const asset of account.assets) {
      const { coin, crossedMaintainMarginRate: rate } = asset;
      const share = shareOf(rate, unit);
      if (share === null && !isEquitySpent(asset))
        for (const rule of MARGIN_RULES)
          cannot(
            rule,
            rate === null
              ? `the margin rate of ${coin} cannot be read`
              : `it is not known whether 1 or 100 is 100% in the margin rate of ${coin}`,
          );
      weighMargin(
        asset.coin,
        (rule) => marginStanding(asset, share, rule),
        (rule) => marginWords(asset, share, rule),
      );
    }
    for (const position of account.positions) {
      if (marginModeWord(position.marginMode) !== MARGIN_MODE.ISOLATED) continue;
      const cover = isolatedCover(position);
      if (cover === null)
        for (const rule of MARGIN_RULES)
          cannot(
            rule,
            position.profitUnreal === null
              ? `${position.symbolId} has no unrealised profit`
              : `the margin of ${position.symbolId} cannot be read`,
          );
      weighMargin(
        position.positionId,
        (rule) => cover && coverStanding(cover, rule),
        (rule) => isolatedMarginWords(position, rule),
      );
    }
  }

  function weighMargin(
    subject: string,
    standing: (rule: LevelRule) => Standing,
    words: (rule: LevelRule) => Omit<Alert, 'rule' | 'key'>,
  ): void {
    let danger = false;
    for (const name of MARGIN_RULES) {
      const rule = rules[name];
      danger = weigh(name, subject, standing(rule), () => words(rule), danger);
    }
  }

  function weighEquity(account: AccountInfo): EquityPast {
    const rule = rules.equity;
    const equity = account.totalEquities;
    if (equity === null) {
      cannot('equity', 'the total equity cannot be read');
      return before.equity;
    }
    const past = withEquity(before.equity, equity, now, rule.windowMinutes);
    const move = equityMove(past, equity);
    if (move === null) cannot('equity', 'the account has no equity above 0 to compare with');
    else
      weigh('equity', 'account', standingAbove(move.size, amount(move.from), rule), () =>
        equityWords(move, equity, rule),
      );
    return past;
  }

  function weighFills(): Pick<AlertState, 'seen' | 'fills'> {
    if (seen.openOrders === null || seen.history === null) {
      cannot('fills', 'open orders and order history have not both been read');
      return { seen: before.seen, fills: before.fills };
    }
    const next = newFills(before.seen, seen.openOrders, seen.history);
    const closes = next.fills.flatMap(({ close }) => (close === null ? [] : [close]));
    for (const close of [...missedCloses(), ...closes]) report(close);
    const own = next.fills.filter(({ close }) => close === null);
    const waiting = rules.fills.on ? [...before.fills, ...own] : [];
    const key = keyOf('fills', 'account');
    const toldAt = before.levels.get(key)?.toldAt ?? null;
    const due = waiting.length > 0 && isDue(toldAt, now, rules.fills.repeatMinutes);
    levels.set(key, { raised: false, toldAt: due ? now : toldAt });
    if (due) alerts.push({ rule: 'fills', key, ...fillWords(waiting) });
    return { seen: next.seen, fills: due ? [] : waiting };
  }

  /**
   * Returns system closes neither seen as a fill nor reported: before the first read, or with an unreadable quantity.
   */
  function missedCloses(): readonly SystemClose[] {
    const isFirst = before.seen.filled === null;
    return (seen.history ?? [])
      .map(systemCloseOf)
      .filter((one) => one !== null)
      .filter((one) => now - one.at < (isFirst ? MISSED_MS : one.quantity === null ? FORGET_MS : 0))
      .filter((one) => !before.levels.has(keyOfClose(one)));
  }

  function report(close: SystemClose): void {
    const rule = RULE_OF[close.kind];
    const key = keyOfClose(close);
    levels.set(key, { raised: false, toldAt: now });
    const resting = seen.openOrders?.filter((one) => one.symbolId === close.symbolId).length ?? 0;
    if (rules[rule].on) alerts.push({ rule, key, ...systemCloseWords(close, resting) });
  }

  /**
   * Carries over levels not evaluated now: unchanged while the account is unread, else until the repeat interval ends.
   */
  function keepRest(): void {
    for (const [key, level] of before.levels) {
      if (levels.has(key)) continue;
      const unread = seen.account === null && !key.startsWith('unknown:');
      // The first read needs it, and may come long after the log was loaded.
      const awaited = before.seen.filled === null && EVENT_KEY.test(key);
      if (unread || awaited) levels.set(key, level);
      else if (level.toldAt !== null && now - level.toldAt < FORGET_MS)
        levels.set(key, { ...level, raised: false });
    }
  }
}

const keyOfClose = ({ kind, orderId }: SystemClose): string => keyOf(RULE_OF[kind], orderId);
const EVENT_KEY = /^(?:liquidated|delivered):/;
