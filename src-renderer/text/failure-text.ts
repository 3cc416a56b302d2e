import { type OrderCheck, withNextStep } from '../../src-shared/domain/order/check.ts';
import type { Failure } from '../../src-shared/ipc/failures.ts';
import { groupedText } from './number-text.ts';

/** Writes what is wrong, or happened, and what to do, its numbers grouped. */
export const adviceText = (advice: Pick<OrderCheck, 'message' | 'next'>): string =>
  groupedText(withNextStep(advice));

/** Writes the message of a schema, such as `enter a name`, as a sentence. */
export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Writes a failure in one line: its code, unless the message has it, what happened, what to do. */
export function failureText(failure: Failure): string {
  const { code, message } = failure;
  const hasCode = code === undefined || message.includes(`code ${code}`);
  return `${hasCode ? '' : `Code ${code}. `}${adviceText(failure)}`;
}
