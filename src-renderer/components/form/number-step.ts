import {
  add,
  amount,
  calculated,
  decimalsOf,
  isDecimal,
  isPositive,
  multiply,
  printFixed,
} from '../../../src-shared/amount.ts';
import { lastPlace } from '../../../src-shared/domain/numeric/fraction.ts';

/** Steps of an arrow key: one, with Shift ten; 0 for any other key. */
export function stepsOf(
  event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'>,
): number {
  if (event.altKey || event.ctrlKey || event.metaKey) return 0;
  const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
  return event.shiftKey ? 10 * direction : direction;
}

/**
 * Returns a number moved by steps of its last decimal; an empty one starts from `from`. Null if the text is no number,
 * or the result is not above 0.
 */
export function stepped(text: string, from: string | null, decimals: number, steps: number): string | null {
  const typed = text.trim();
  if (typed === '' ? from === null : !isDecimal(typed)) return null;
  const start = typed === '' ? calculated(from ?? '0') : amount(typed);
  const moved = add(start, multiply(lastPlace(decimals), calculated(String(steps))));
  // Digits beyond the step stay as typed.
  const printed = printFixed(moved, typed === '' ? decimals : Math.max(decimals, decimalsOf(typed)));
  return isPositive(amount(printed)) ? printed : null;
}
