/**
 * Evaluates the rules: (state, observation) → (state, alerts). Stale data is never evaluated: such rules are listed in
 * `unmonitored`, keep their level, and only the stale-data rule fires.
 */
import { amount } from '../../amount.ts';
import { positionKey } from '../position/identity.ts';
import type { AccountInfo, Asset, Position } from '../../exchange-api/account.ts';
import { isIsolated, isResting } from '../../exchange-api/enums.ts';
import { type EquityPast, equityMove, withEquity } from './equity-change.ts';
import { type Fill, type FillsSeen, newFills, NO_FILLS_SEEN } from './new-fills.ts';
import { type SystemClose, systemCloseOf } from '../history/system-close.ts';
import { isDue, evaluateLevel, type Level, type Status, UNRAISED } from './hysteresis.ts';
import {
  coverStatus,
  isEquityUsedUp,
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
import { isHeld } from '../../exchange-api/values.ts';
import { unreadRecordText } from '../instrument/unread-record.ts';
import { isolatedCover } from '../margin/isolated-cover.ts';
import { type RatioUnit, ratioUnits, shareOf, unratedText } from '../margin/ratio-unit.ts';
import { DAY_MS } from '../../time.ts';

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
  /** Keys that are over their threshold, or not yet clear of the band. */
  readonly raised: readonly string[];
}

/** Most severe first: while danger is raised, caution is suppressed but recorded as fired. */
const MARGIN_RULES = ['margin-danger', 'margin'] as const;
const LIQUIDATION_RULES = ['liquidation-danger', 'liquidation'] as const;
const FORGET_MS = DAY_MS;
/** A close by the exchange while Ballast was not running is reported up to this age. */
const MISSED_MS = 7 * DAY_MS;
const RULE_OF = { liquidation: 'liquidated', delivery: 'delivered' } as const;

export const evaluate = (before: AlertState, seen: Observation, rules: AlertRules): Evaluation =>
  new Evaluator(before, seen, rules).run();

/** One evaluation: collects levels, alerts and what cannot be evaluated. */
class Evaluator {
  readonly #before: AlertState;
  readonly #seen: Observation;
  readonly #rules: AlertRules;
  readonly #levels = new Map<string, Level>();
  readonly #alerts: Alert[] = [];
  readonly #unmonitored: UnmonitoredRule[] = [];
  readonly #raised: string[] = [];

  constructor(before: AlertState, seen: Observation, rules: AlertRules) {
    this.#before = before;
    this.#seen = seen;
    this.#rules = rules;
  }

  run(): Evaluation {
    const { account, accountOld, unknown } = this.#seen;
    for (const one of unknown) this.#evaluate('unknown', one.id, 'over', () => unknownOutcomeText(one));
    this.#evaluateStale();
    let { equity } = this.#before;
    if (account === null)
      for (const rule of ['liquidation-danger', 'liquidation', 'margin-danger', 'margin', 'equity'] as const)
        this.#cannot(rule, accountOld ?? 'the account has not been read');
    else {
      for (const one of this.#seen.unreadable ?? [])
        for (const rule of one.record === 'asset' ? MARGIN_RULES : [...LIQUIDATION_RULES, ...MARGIN_RULES])
          this.#cannot(rule, unreadRecordText(one));
      for (const position of account.positions) this.#evaluatePosition(position);
      this.#evaluateMargins(account);
      equity = this.#evaluateEquity(account);
    }
    const fills = this.#evaluateFills();
    this.#carryOver();
    return {
      state: { levels: this.#levels, equity, ...fills },
      alerts: this.#alerts,
      unmonitored: this.#unmonitored,
      raised: this.#raised,
    };
  }

  /**
   * Evaluates one subject and returns whether it is raised. Calls `message` only when it fires. `quiet` suppresses it
   * because a more severe one is raised, but its level counts it as fired.
   */
  #evaluate(
    rule: LastingRule,
    subject: string,
    status: Status,
    message: () => Omit<Alert, 'rule' | 'key'>,
    quiet = false,
  ): boolean {
    const key = keyOf(rule, subject);
    const { on, repeatMinutes } = this.#rules[rule];
    const before = this.#before.levels.get(key) ?? UNRAISED;
    const { level, fires } = evaluateLevel(before, on ? status : 'clear', this.#seen.now, repeatMinutes);
    this.#levels.set(key, level);
    if (fires && !quiet) this.#alerts.push({ rule, key, ...message() });
    if (level.raised && status !== null) this.#raised.push(key);
    return level.raised;
  }

  /** Carries over the level of what cannot be evaluated now. */
  #keepLevel(key: string): void {
    const level = this.#before.levels.get(key);
    if (level !== undefined) this.#levels.set(key, level);
  }

  #cannot(rule: AlertRule, why: string): void {
    if (this.#rules[rule].on) this.#unmonitored.push({ rule, why });
  }

  #evaluateStale(): void {
    const { accountAgeMs, accountSlackMs } = this.#seen;
    const old = accountAgeMs >= this.#rules.stale.afterSeconds * 1_000 + accountSlackMs;
    this.#evaluate('stale', 'account', old ? 'over' : 'clear', () => staleText(accountAgeMs));
  }

  #evaluatePosition(position: Position): void {
    const distance = distanceToLiquidation(position);
    let danger = false;
    for (const rule of LIQUIDATION_RULES) {
      if (distance === null)
        this.#cannot(
          rule,
          `${position.symbolId} has no ${position.liquidPrice === null ? 'liquidation price' : 'mark price'}`,
        );
      const status =
        distance === null
          ? null
          : distance === 'none'
            ? 'clear'
            : statusBelow(distance.distance, distance.mark, this.#rules[rule]);
      const message = () => liquidationText(position, this.#rules[rule]);
      danger = this.#evaluate(rule, positionKey(position), status, message, danger);
    }
  }

  /** Evaluates margins: cross by the exchange's rate, isolated by the position's own fields. */
  #evaluateMargins(account: AccountInfo): void {
    const { unit } = ratioUnits(account, this.#seen.ratioUnit).margin;
    for (const asset of account.assets) this.#evaluateCross(asset, unit);
    for (const position of account.positions)
      if (isHeld(position) && isIsolated(position)) this.#evaluateIsolated(position);
  }

  #evaluateCross(asset: Asset, unit: RatioUnit | null): void {
    const share = shareOf(asset.crossedMaintainMarginRate, unit);
    const isUsedUp = isEquityUsedUp(asset, share);
    this.#evaluateMargin(
      asset.coin,
      share === null && !isUsedUp ? unratedText(asset) : null,
      (rule) => marginStatus(asset, share, rule),
      (rule) => marginText(asset, isUsedUp ? null : share, rule),
    );
  }

  #evaluateIsolated(position: Position): void {
    const cover = isolatedCover(position);
    const why =
      position.profitUnreal === null
        ? `${position.symbolId} has no unrealised PnL`
        : `the margin of ${position.symbolId} cannot be read`;
    this.#evaluateMargin(
      positionKey(position),
      cover === null ? why : null,
      (rule) => cover && coverStatus(cover, rule),
      (rule) => isolatedMarginText(position, rule),
    );
  }

  /** @param unknown why the margin of `subject` cannot be evaluated; null when it can */
  #evaluateMargin(
    subject: string,
    unknown: string | null,
    status: (rule: LevelRule) => Status,
    text: (rule: LevelRule) => Omit<Alert, 'rule' | 'key'>,
  ): void {
    let danger = false;
    for (const name of MARGIN_RULES) {
      if (unknown !== null) this.#cannot(name, unknown);
      const rule = this.#rules[name];
      danger = this.#evaluate(name, subject, status(rule), () => text(rule), danger);
    }
  }

  #evaluateEquity(account: AccountInfo): EquityPast {
    const rule = this.#rules.equity;
    const equity = account.totalEquities;
    if (equity === null) {
      this.#cannot('equity', 'the total equity cannot be read');
      this.#keepLevel(keyOf('equity', 'account'));
      return this.#before.equity;
    }
    const past = withEquity(this.#before.equity, equity, this.#seen.now, rule.windowMinutes);
    const move = equityMove(past, equity);
    if (move === null) this.#cannot('equity', 'the account has no positive equity');
    else
      this.#evaluate('equity', 'account', statusAbove(move.size, amount(move.from), rule), () =>
        equityText(move, equity, rule),
      );
    return past;
  }

  #evaluateFills(): Pick<AlertState, 'seen' | 'fills'> {
    const { openOrders, history, now } = this.#seen;
    const before = this.#before;
    const { on, repeatMinutes } = this.#rules.fills;
    if (openOrders === null || history === null) {
      this.#cannot('fills', 'open orders and order history have not both been read');
      return { seen: before.seen, fills: before.fills };
    }
    const next = newFills(before.seen, openOrders, history, now);
    const closes = next.fills.flatMap(({ close }) => (close === null ? [] : [close]));
    for (const close of [...this.#missedCloses(), ...closes]) this.#report(close);
    const own = next.fills.filter(({ close }) => close === null);
    const waiting = on ? [...before.fills, ...own] : [];
    const key = keyOf('fills', 'account');
    const lastFiredAt = before.levels.get(key)?.lastFiredAt ?? null;
    const due = waiting.length > 0 && isDue(lastFiredAt, now, repeatMinutes);
    this.#levels.set(key, { raised: false, lastFiredAt: due ? now : lastFiredAt });
    if (due) this.#alerts.push({ rule: 'fills', key, ...fillText(waiting, now) });
    return { seen: next.seen, fills: due ? [] : waiting };
  }

  /**
   * Returns system closes neither seen as a fill nor reported: before the first read, or with an unreadable quantity.
   */
  #missedCloses(): readonly SystemClose[] {
    const { history, now } = this.#seen;
    const isFirst = this.#before.seen.filled === null;
    return (history ?? [])
      .map(systemCloseOf)
      .filter((one) => one !== null)
      .filter((one) => now - one.at < (isFirst ? MISSED_MS : one.quantity === null ? FORGET_MS : 0))
      .filter((one) => !this.#before.levels.has(keyOfClose(one)));
  }

  #report(close: SystemClose): void {
    const { openOrders, now } = this.#seen;
    const rule = RULE_OF[close.kind];
    const key = keyOfClose(close);
    this.#levels.set(key, { raised: false, lastFiredAt: now });
    const left = openOrders?.filter((one) => isResting(one) && one.symbolId === close.symbolId) ?? [];
    if (this.#rules[rule].on) this.#alerts.push({ rule, key, ...systemCloseText(close, left.length, now) });
  }

  /**
   * Carries over levels not evaluated now: unchanged while the account is unread, else until the repeat interval ends.
   */
  #carryOver(): void {
    for (const [key, level] of this.#before.levels) {
      if (this.#levels.has(key)) continue;
      const { account, unreadable = [] } = this.#seen;
      const isHidden = unreadable.length > 0 && OF_RECORDS.test(key);
      const unread = isHidden || (account === null && !key.startsWith('unknown:'));
      // The first read needs it, and may come long after the log was loaded.
      const awaited = this.#before.seen.filled === null && EVENT_KEY.test(key);
      if (unread || awaited) this.#levels.set(key, level);
      else if (level.lastFiredAt !== null && this.#seen.now - level.lastFiredAt < FORGET_MS)
        this.#levels.set(key, { ...level, raised: false });
    }
  }
}

const keyOfClose = ({ kind, orderId }: SystemClose): string => keyOf(RULE_OF[kind], orderId);
/** Keys whose subject is a position or a coin. */
const OF_RECORDS = /^(?:liquidation|margin)(?:-danger)?:/;
const EVENT_KEY = /^(?:liquidated|delivered):/;
