/** What is said at the start of a journal that could not be read whole. */
import type { Journal } from './journal.ts';

/** Each what happened and what to do. */
export function damageText(
  journal: Pick<Journal, 'damaged' | 'everyDamage'>,
): [message: string, next: string][] {
  const held = journal.everyDamage();
  const rest = journal.damaged - held.length;
  const text: [string, string][] = [];
  if (held.length > 0) {
    const symbols = [...new Set(held.map((one) => one.symbolId ?? 'every contract'))].join(', ');
    text.push([
      `${count(held.length)} of the order journal ${held.length === 1 ? 'is' : 'are'} damaged: an order of ${held.length === 1 ? 'it' : 'them'} may have been sent.`,
      `Orders for ${symbols} are held until you acknowledge it under Activity.`,
    ]);
  }
  if (rest > 0)
    text.push([
      `${count(rest)} of the order journal cannot be read.`,
      'Other lines say what became of each order, or nothing of it was sent. They are kept in the file.',
    ]);
  return text;
}

const count = (lines: number): string => (lines === 1 ? 'One line' : `${lines} lines`);
