/** One check before sending, worded as the exchange would refuse for the same fault. */
import { sendable } from '../../amount.ts';
import type { DraftField, Suggestion } from '../instrument/trading-context.ts';

export interface OrderCheck {
  /** Stable name, unique within one order's checks. */
  readonly id: string;
  /** The exchange's code for the same fault; null for a rule of Ballast or of the person. */
  readonly code: string | null;
  /** `fail` stops the order; `warn` and `unknown` are said and let it pass. */
  readonly state: 'pass' | 'fail' | 'warn' | 'unknown';
  /** A `warn` that may cost the position: never beside a green count. */
  readonly danger?: true;
  readonly field: DraftField;
  /** What holds, or what is wrong and the way out. */
  readonly message: string;
  /** The way out, where nothing typed is wrong and the message does not say it. */
  readonly next?: string;
  readonly suggestion?: Suggestion;
}

type Name = Pick<OrderCheck, 'id' | 'code' | 'field'>;

export const pass = (name: Name, message: string): OrderCheck => ({ ...name, state: 'pass', message });
export const unsure = (name: Name, message: string): OrderCheck => ({ ...name, state: 'unknown', message });
export const warn = (name: Name, message: string, suggestion?: Suggestion): OrderCheck => ({
  ...name,
  state: 'warn',
  message,
  ...(suggestion ? { suggestion } : {}),
});
export const fail = (name: Name, message: string, suggestion?: Suggestion): OrderCheck => ({
  ...name,
  state: 'fail',
  message,
  ...(suggestion ? { suggestion } : {}),
});

/** Without zeros beyond what can be sent: an exchange may pad its figures. */
export function use(field: DraftField, figure: string, unit = ''): Suggestion {
  const value = sendable(figure) ?? figure;
  return { field, value, label: `Use ${value}${unit === '' ? '' : ` ${unit}`}` };
}
