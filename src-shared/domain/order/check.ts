/** Defines a pre-trade check, worded as the exchange would reject the same error. */
import { sendable } from '../../amount.ts';
import type { DraftField, Suggestion } from '../instrument/trading-context.ts';

export interface OrderCheck {
  /** Stable name, unique within one order's checks. */
  readonly id: string;
  /** The exchange's code for the same error; null for a rule of Ballast or the user. */
  readonly code: string | null;
  /** `fail` blocks the order; `warn` and `unknown` are shown only. */
  readonly state: 'pass' | 'fail' | 'warn' | 'unknown';
  /** A `warn` that may cost the position; excluded from the count of passed checks. */
  readonly danger?: true;
  readonly field: DraftField;
  /** What holds, or what is wrong and what to do. */
  readonly message: string;
  /** What to do, if no input is wrong and the message does not say it. */
  readonly next?: string;
  readonly suggestion?: Suggestion;
}

type Name = Pick<OrderCheck, 'id' | 'code' | 'field'>;

export const pass = (name: Name, message: string): OrderCheck => ({ ...name, state: 'pass', message });
export const unsure = (name: Name, message: string): OrderCheck => ({ ...name, state: 'unknown', message });
export const warn = (name: Name, message: string): OrderCheck => ({ ...name, state: 'warn', message });
export const fail = (name: Name, message: string): OrderCheck => ({ ...name, state: 'fail', message });

/** Returns what is wrong, or happened, and what to do. */
export const withNextStep = ({ message, next = '' }: Pick<OrderCheck, 'message' | 'next'>): string =>
  next === '' ? message : `${message} ${next}`;

/** Orders checks by what they say, the worst first; those that say the same keep their order, that of the rules. */
export const worstFirst = (checks: readonly OrderCheck[]): OrderCheck[] =>
  checks.toSorted((one, other) => rankOf(one) - rankOf(other));
const RANKS = ['fail', 'danger', 'warn', 'unknown', 'pass'] as const;
const rankOf = ({ state, danger }: OrderCheck): number => RANKS.indexOf(danger ? 'danger' : state);

/** Reports whether no check failed, so the order can be reviewed. */
export const mayBeSent = (checks: readonly OrderCheck[]): boolean =>
  checks.every((check) => check.state !== 'fail');

/** Suggests a value without the padding zeros of an exchange, which may be more digits than can be sent. */
export function use(field: DraftField, figure: string, unit = ''): Suggestion {
  const value = sendable(figure) ?? figure;
  return { field, value, label: `Use ${value}${unit === '' ? '' : ` ${unit}`}` };
}
