/** Notices shown at start for a damaged journal. */
import type { Journal } from './journal.ts';

/** Returns one notice for an emptied file, one for lines that hold orders and one for the rest. */
export function damageText(
  journal: Pick<Journal, 'damaged' | 'allDamage' | 'isEmptied'>,
): [message: string, next: string][] {
  const held = journal.allDamage();
  const rest = journal.damaged - held.length;
  const text: [string, string][] = [];
  if (journal.isEmptied)
    text.push([
      'The order journal is empty: if orders were sent from here before, they are no longer recorded.',
      'Trading is locked: check open orders and positions before you unlock it.',
    ]);
  if (held.length > 0) {
    const [are, it] = held.length === 1 ? ['It is', 'it'] : ['They are', 'them'];
    const symbols = new Set(held.map((one) => one.symbolId));
    const contracts = symbols.has(null) ? 'every contract' : [...symbols].join(', ');
    text.push([
      `${count(held.length)} of the order journal cannot be read: an order in ${it} may have been sent.`,
      `${are} damaged, or of a newer version of Ballast. Orders for ${contracts} are held until you acknowledge ${it} under Activity.`,
    ]);
  }
  if (rest > 0)
    text.push([
      `${count(rest)} of the order journal cannot be read.`,
      'Other lines show each order’s outcome, or Ballast is searching for it. The lines stay in the file.',
    ]);
  return text;
}

const count = (lines: number): string => (lines === 1 ? 'One line' : `${lines} lines`);
