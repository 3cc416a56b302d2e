/**
 * Evaluates the rules: (state, observation) → (state, alerts). Stale data is never evaluated: such rules are listed in
 * `unmonitored`, keep their level, and only the stale-data rule fires.
 */
import { amount } from '../../amount.ts';
import type { AccountInfo, Position } from '../../exchange-api/account.ts';
import { MARGIN_MODE, marginModeLabel } from '../../exchange-api/enums.ts';
import { type EquityPast, equityMove, withEquity } from './equity-change.ts';
import { type Fill, type FillsSeen, newFills, NO_FILLS_SEEN } from './new-fills.ts';
import { type SystemClose, systemCloseOf } from '../history/system-close.ts';
import { isDue, judge, type Level, type Status, UNRAISED } from './hysteresis.ts';
import {
  coverStatus,
  isEquitySpent,
  marginStatus,
  statusAbove,
  statusBelow,
  distanceToLiquidation,
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
  equityText,
  fillText,
  isolatedMarginText,
  liquidationText,
  marginText,
  staleText,
  systemCloseText,
  unknownOutcomeText,
} from './messages.ts';
import { isolatedCover } from '../margin/isolated-cover.ts';
import { ratioUnits, shareOf } from '../margin/ratio-unit.ts';

export interface AlertState {
  readonly levels: ReadonlyMap<string, Level>;
  readonly equity: EquityPast;
  readonly seen: FillsSeen;
  /** Fills held back by the repeat interval. */
  readonly fills: readonly Fill[];
}
export const FIRST_STATE: AlertState = { levels: new Map(), equity: [], seen: NO_FILLS_SEEN, fills: [] };

export interface UnmonitoredRule {
  readonly rule: AlertRule;
  readonly why: string;
}
export interface Evaluation {
  readonly state: AlertState;
  readonly alerts: readonly Alert[];
  readonly unmonitored: readonly UnmonitoredRule[];
  /** Keys over their threshold or not yet clear of the band. */
  readonly raised: readonly string[];
}

/** Most severe first: while danger is raised, caution is suppressed but recorded as fired. */
const MARGIN_RULES = ['margin-danger', 'margin'] as const;
const FORGET_MS = 24 * 3_600_000;
/** A close by the exchange while Ballast was not running is reported up to this age. */
const MISSED_MS = 7 * 24 * 3_600_000;
const RULE_OF = { liquidation: 'liquidated', delivery: 'delivered' } as const;

export function evaluate(before: AlertState, seen: Observation, rules: AlertRules): Evaluation {
  const { now } = seen;
  const levels = new Map<string, Level>();
  const alerts: Alert[] = [];
  const unmonitored: UnmonitoredRule[] = [];
  const raised: string[] = [];

  /** Evaluates one subject and returns whether it is raised. Calls `say` only when it fires. */
  function evaluateRule(
    rule: LastingRule,
    subject: string,
    status: Status,
    message: () => Omit<Alert, 'rule' | 'key'>,
    quiet = false,
  ): boolean {
    const key = keyOf(rule, subject);
    const { level, fires } = judge(
      before.levels.get(key) ?? UNRAISED,
      rules[rule].on ? status : 'clear',
      now,
      rules[rule].repeatMinutes,
      quiet,
    );
    levels.set(key, level);
    if (fires) alerts.push({ rule, key, ...message() });
    if (level.raised && status !== null) raised.push(key);
    return level.raised;
  }
  const cannot = (rule: AlertRule, why: string): void => {
    if (rules[rule].on) unmonitored.push({ rule, why });
  };

  evaluateUnknown();
  evaluateStale();
  let { equity } = before;
  if (seen.account === null)
    for (const rule of ['liquidation-danger', 'liquidation', 'margin-danger', 'margin', 'equity'] as const)
      cannot(rule, seen.accountOld ?? 'the account has not been read');
  else {
    for (const position of seen.account.positions) evaluatePosition(position);
    evaluateMargins(seen.account);
    equity = evaluateEquity(seen.account);
  }
  const fills = evaluateFills();
  carryOver();
  return {
    state: { levels, equity, ...fills },
    alerts,
    unmonitored,
    raised,
  };

  function evaluateUnknown(): void {
    for (const one of seen.unknown) evaluateRule('unknown', one.id, 'over', () => unknownOutcomeText(one));
  }

  function evaluateStale(): void {
    const old = seen.accountAgeMs >= rules.stale.afterSeconds * 1_000;
    evaluateRule('stale', 'account', old ? 'over' : 'clear', () => staleText(seen.accountAgeMs));
  }

  function evaluatePosition(position: Position): void {
    const distance = distanceToLiquidation(position);
    if (distance === null) {
      const why = `${position.symbolId} has no mark price`;
      cannot('liquidation-danger', why);
      cannot('liquidation', why);
    }
    const status = (rule: 'liquidation' | 'liquidation-danger'): Status =>
      distance === null
        ? null
        : distance === 'none'
          ? 'clear'
          : statusBelow(distance.distance, distance.mark, rules[rule]);
    const message = (rule: 'liquidation' | 'liquidation-danger') => () =>
      liquidationText(position, rules[rule]);
    const id = position.positionId;
    const danger = evaluateRule(
      'liquidation-danger',
      id,
      status('liquidation-danger'),
      message('liquidation-danger'),
    );
    evaluateRule('liquidation', id, status('liquidation'), message('liquidation'), danger);
  }

  /** Evaluates margins: cross by the exchange's rate, isolated by the position's own fields. */
  function evaluateMargins(account: AccountInfo): void {
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
              : `the unit of the margin rate of ${coin} is unknown (1 or 100 for 100%)`,
          );
      evaluateMargin(
        asset.coin,
        (rule) => marginStatus(asset, share, rule),
        (rule) => marginText(asset, share, rule),
      );
    }
    for (const position of account.positions) {
      if (marginModeLabel(position.marginMode) !== MARGIN_MODE.ISOLATED) continue;
      const cover = isolatedCover(position);
      if (cover === null)
        for (const rule of MARGIN_RULES)
          cannot(
            rule,
            position.profitUnreal === null
              ? `${position.symbolId} has no unrealised PnL`
              : `the margin of ${position.symbolId} cannot be read`,
          );
      evaluateMargin(
        position.positionId,
        (rule) => cover && coverStatus(cover, rule),
        (rule) => isolatedMarginText(position, rule),
      );
    }
  }

  function evaluateMargin(
    subject: string,
    status: (rule: LevelRule) => Status,
    text: (rule: LevelRule) => Omit<Alert, 'rule' | 'key'>,
  ): void {
    let danger = false;
    for (const name of MARGIN_RULES) {
      const rule = rules[name];
      danger = evaluateRule(name, subject, status(rule), () => text(rule), danger);
    }
  }

  function evaluateEquity(account: AccountInfo): EquityPast {
    const rule = rules.equity;
    const equity = account.totalEquities;
    if (equity === null) {
      cannot('equity', 'the total equity cannot be read');
      return before.equity;
    }
    const past = withEquity(before.equity, equity, now, rule.windowMinutes);
    const move = equityMove(past, equity);
    if (move === null) cannot('equity', 'the account has no positive equity');
    else
      evaluateRule('equity', 'account', statusAbove(move.size, amount(move.from), rule), () =>
        equityText(move, equity, rule),
      );
    return past;
  }

  function evaluateFills(): Pick<AlertState, 'seen' | 'fills'> {
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
    const lastFiredAt = before.levels.get(key)?.lastFiredAt ?? null;
    const due = waiting.length > 0 && isDue(lastFiredAt, now, rules.fills.repeatMinutes);
    levels.set(key, { raised: false, lastFiredAt: due ? now : lastFiredAt });
    if (due) alerts.push({ rule: 'fills', key, ...fillText(waiting) });
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
    levels.set(key, { raised: false, lastFiredAt: now });
    const resting = seen.openOrders?.filter((one) => one.symbolId === close.symbolId).length ?? 0;
    if (rules[rule].on) alerts.push({ rule, key, ...systemCloseText(close, resting) });
  }

  /**
   * Carries over levels not evaluated now: unchanged while the account is unread, else until the repeat interval ends.
   */
  function carryOver(): void {
    for (const [key, level] of before.levels) {
      if (levels.has(key)) continue;
      const unread = seen.account === null && !key.startsWith('unknown:');
      // The first read needs it to report no close twice, and may come long after the log was loaded.
      const awaited = before.seen.filled === null && EVENT_KEY.test(key);
      if (unread || awaited) levels.set(key, level);
      else if (level.lastFiredAt !== null && now - level.lastFiredAt < FORGET_MS)
        levels.set(key, { ...level, raised: false });
    }
  }
}

const keyOfClose = ({ kind, orderId }: SystemClose): string => keyOf(RULE_OF[kind], orderId);
const EVENT_KEY = /^(?:liquidated|delivered):/;
