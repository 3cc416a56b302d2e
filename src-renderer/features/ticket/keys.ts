/** Keys of the ticket (design language, Keyboard): letters outside inputs only, Enter in its numbers, Alt 1–5 everywhere in it. */
import { SIZE_MODES } from '../../../src-shared/domain/order/size.ts';
import { letterOf } from '../../components/overlay/key-letter.ts';
import type { Ticket } from '../../state/ticket/ticket.svelte.ts';

type Key = Pick<KeyboardEvent, 'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'target'>;

/** Handles a key of the ticket; returns whether it was one. */
export function ticketKey(event: Key, ticket: Ticket): boolean {
  if (event.ctrlKey || event.metaKey) return false;
  if (event.altKey) {
    // By key position, not by character: with Alt some keyboards produce other characters for digits.
    const mode = SIZE_MODES.find((_, index) => event.code === `Digit${index + 1}`);
    if (mode === undefined) return false;
    ticket.sizeBy(mode);
    return true;
  }
  if (isTyping(event.target)) return false;
  const { fields } = ticket;
  switch (letterOf(event)) {
    case 'b':
      fields.side = 'BUY';
      return true;
    case 's':
      fields.side = 'SELL';
      return true;
    case 'l':
      fields.type = 'LIMIT';
      return true;
    case 'm':
      fields.type = 'MARKET';
      return true;
    default:
      return false;
  }
}

/** Whether the key goes on in the size: a unit chosen by Alt outside an input, or a digit after choosing one. */
export const isSizeKey = (event: KeyboardEvent): boolean => {
  if (event.ctrlKey || event.metaKey || isTyping(event.target)) return false;
  if (event.altKey) return /^Digit[1-5]$/.test(event.code);
  return /^[\d.,]$/.test(event.key) && event.target instanceof Element && event.target.closest(SIZE) !== null;
};
/** The choice of a unit, and the number in it. */
export const SIZE = '[data-size]';

/** Whether Enter was pressed in a number of the order, which asks for the review as F9 does. */
export const isReviewKey = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' &&
  !event.repeat &&
  !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) &&
  event.target instanceof HTMLInputElement &&
  event.target.closest('[data-number]') !== null;

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !['radio', 'checkbox', 'range'].includes(target.type);
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}
