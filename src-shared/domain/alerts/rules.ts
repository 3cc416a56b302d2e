/** Defines the alert rules, their settings and the alerts they raise. */
import type { AccountInfo } from '../../exchange-api/account.ts';
import type { HistoryOrder } from '../../exchange-api/order-history.ts';
import type { OpenOrder } from '../../exchange-api/open-order.ts';
import type { UnreadableRecord } from '../../exchange-api/replies.ts';
import type { RatioUnit } from '../margin/ratio-unit.ts';

export const ALERT_LABELS = {
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
} as const;
export type AlertRule = keyof typeof ALERT_LABELS;
export const ALERT_RULES = Object.keys(ALERT_LABELS) as readonly AlertRule[];

/** Cannot be switched off, ignore quiet hours, and stay until acknowledged. */
export const CRITICAL_RULES: ReadonlySet<AlertRule> = new Set([
  'liquidated',
  'liquidation-danger',
  'margin-danger',
  'unknown',
]);

/** Settings of a rule for single events, which do not repeat. */
export interface EventRule {
  readonly on: boolean;
  /** Also shown as a desktop notification. */
  readonly desktop: boolean;
}
export interface RuleSettings extends EventRule {
  /** Least time between two of the same; null for once each time it is raised. */
  readonly repeatMinutes: number | null;
}
/** Percent as decimal text. Raised at `threshold`, cleared beyond `threshold` and `band`. */
export interface LevelRule extends RuleSettings {
  readonly threshold: string;
  readonly band: string;
}
export interface AlertRules {
  readonly liquidated: EventRule;
  readonly 'liquidation-danger': LevelRule;
  readonly liquidation: LevelRule;
  readonly 'margin-danger': LevelRule;
  readonly margin: LevelRule;
  readonly unknown: RuleSettings;
  readonly stale: RuleSettings & { readonly afterSeconds: number };
  readonly equity: LevelRule & { readonly windowMinutes: number };
  readonly delivered: EventRule;
  readonly fills: RuleSettings;
}
/** Rules of a condition that lasts. */
export type LastingRule = Exclude<AlertRule, 'liquidated' | 'delivered'>;

/** Where the window shows the subject. */
export interface AlertLink {
  readonly symbolId?: string;
  readonly orderId?: string;
  readonly intentId?: string;
  readonly positionId?: string;
}

export interface Alert {
  readonly rule: AlertRule;
  /** Identifies the subject: a position, a coin, an order of unknown outcome. */
  readonly key: string;
  readonly title: string;
  readonly text: string;
  readonly link: AlertLink;
}

export interface UnknownOutcome {
  /** Id of the intent, or of the batch for all its rows. */
  readonly id: string;
  readonly intentId: string;
  readonly symbolId: string;
  /** Like “Buy BTC-USDT-M, limit”. */
  readonly label: string;
}

/** What is known of a connection at one moment. */
export interface Observation {
  readonly now: number;
  /** Null if never read or too old; `accountOld` then names the reason. */
  readonly account: AccountInfo | null;
  readonly accountOld: string | null;
  /** Records of the account that cannot be read; absent if there are none. */
  readonly unreadable?: readonly UnreadableRecord[] | undefined;
  /** Time since the account was last read or watching began, in ms. */
  readonly accountAgeMs: number;
  /** How much older it may be because it is read less often than each second, in ms. */
  readonly accountSlackMs: number;
  /** Null until read. */
  readonly openOrders: readonly OpenOrder[] | null;
  readonly history: readonly HistoryOrder[] | null;
  readonly unknown: readonly UnknownOutcome[];
  /** The connection's unit of rates, for when the values are ambiguous. */
  readonly ratioUnit?: RatioUnit | undefined;
}

export const keyOf = (rule: AlertRule, subject: string): string => `${rule}:${subject}`;
