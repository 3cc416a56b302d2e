/** The rules of alerts: which there are, what can be set of each, what an alert says. */
import type { AccountInfo } from '../../exchange-api/account.ts';
import type { HistoryOrder } from '../../exchange-api/order-history.ts';
import type { OpenOrder } from '../../exchange-api/open-order.ts';
import type { RatioUnit } from '../margin/ratio-unit.ts';

export const ALERT_RULES = [
  'liquidated',
  'liquidation-danger',
  'liquidation',
  'margin-danger',
  'margin',
  'unknown',
  'stale',
  'equity',
  'delivered',
  'fills',
] as const;
export type AlertRule = (typeof ALERT_RULES)[number];

export const ALERT_WORDS: Readonly<Record<AlertRule, string>> = {
  liquidated: 'Liquidated',
  'liquidation-danger': 'Liquidation distance, danger',
  liquidation: 'Liquidation distance, caution',
  'margin-danger': 'Margin ratio, danger',
  margin: 'Margin ratio, caution',
  unknown: 'Outcome unknown',
  stale: 'Stale data',
  equity: 'Equity change',
  delivered: 'Delivered',
  fills: 'Fills',
};

/** Cannot be switched off, are shown whatever the hour, and stay until acknowledged. */
export const MUST_SEE: ReadonlySet<AlertRule> = new Set([
  'liquidated',
  'liquidation-danger',
  'margin-danger',
  'unknown',
]);

/** Of what happens once and is over: there is nothing to repeat. */
export interface EventRule {
  readonly on: boolean;
  /** Also as a notification of the desktop. */
  readonly desktop: boolean;
}
export interface TellRule extends EventRule {
  /** Least pause between two of the same; null: once each time it begins. */
  readonly repeatMinutes: number | null;
}
/** Percent, decimal text: fires at `threshold`, is over beyond `threshold` and `band`. */
export interface LevelRule extends TellRule {
  readonly threshold: string;
  readonly band: string;
}
export interface AlertRules {
  readonly liquidated: EventRule;
  readonly 'liquidation-danger': LevelRule;
  readonly liquidation: LevelRule;
  readonly 'margin-danger': LevelRule;
  readonly margin: LevelRule;
  readonly unknown: TellRule;
  readonly stale: TellRule & { readonly afterSeconds: number };
  readonly equity: LevelRule & { readonly windowMinutes: number };
  readonly delivered: EventRule;
  readonly fills: TellRule;
}
/** Rules of a condition that lasts for a while. */
export type LastingRule = Exclude<AlertRule, 'liquidated' | 'delivered'>;

/** Where the thing concerned is found in the window. */
export interface AlertLink {
  readonly symbolId?: string;
  readonly orderId?: string;
  readonly intentId?: string;
  readonly positionId?: string;
}

export interface Alert {
  readonly rule: AlertRule;
  /** The same thing has the same key: a position, a coin, an order of unknown outcome. */
  readonly key: string;
  readonly title: string;
  readonly text: string;
  readonly link: AlertLink;
}

export interface UnknownOutcome {
  /** The intent's, or the batch's for all its rows. */
  readonly id: string;
  readonly intentId: string;
  readonly symbolId: string;
  /** “Buy BTC-USDT-M, limit”. */
  readonly words: string;
}

/** What is known of a connection at one moment. */
export interface Observation {
  readonly now: number;
  /** Null while it was never read or is too old to judge by; `accountOld` says which. */
  readonly account: AccountInfo | null;
  readonly accountOld: string | null;
  /** Since the account was read last, or since watching began, ms. */
  readonly accountAgeMs: number;
  /** Null while not read. */
  readonly openOrders: readonly OpenOrder[] | null;
  readonly history: readonly HistoryOrder[] | null;
  readonly unknown: readonly UnknownOutcome[];
  /** What the connection says of rates, for what the figures leave open. */
  readonly ratioUnit?: RatioUnit | undefined;
}

export const keyOf = (rule: AlertRule, subject: string): string => `${rule}:${subject}`;
