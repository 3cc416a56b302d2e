/** The functions that the archive's SQL calls. */
import type { DatabaseSync } from 'node:sqlite';
import { compareText, plainDecimal } from '../../../src-shared/amount.ts';
import { csvCell, type Separator } from '../../../src-shared/domain/history/csv-cell.ts';
import { matchesNoted, type NotedFilter } from '../../../src-shared/domain/history/order-notes.ts';
import { figureCell, idCell, noteCells } from '../csv/format.ts';
import { tagsOf } from '../notes/store.ts';
import { idOfStored } from './ids.ts';
import { asText } from './row-types.ts';

/** Never called by a trigger or view that a file brings along. */
const PURE = { deterministic: true, directOnly: true } as const;

export function defineFunctions(db: DatabaseSync): void {
  // Compares decimals, stored as text, exactly with a filter's bounds.
  db.function('decimal_order', PURE, (a, b) => compareText(asText(a), asText(b)));
  // Export cells that are not plain decimals or digits.
  db.function('csv_id', PURE, (stored, separator, safe) => {
    const id = idOfStored(asText(stored));
    return /^\d+$/.test(id) ? idCell(id, safe === 1) : csvCell(id, separatorOf(separator));
  });
  db.function('csv_figure', PURE, (received, separator, comma) =>
    figureCell(asText(received), separatorOf(separator), comma === 1),
  );
  db.function('csv_note', PURE, (text, tags, separator) => {
    const sign = separatorOf(separator);
    return noteCells({ text: asText(text), tags: tagsOf(tags) }, sign).join(sign);
  });
  db.function('is_figure', PURE, (received) => (plainDecimal(asText(received)) === null ? 0 : 1));
  // Called for notes only, which are few.
  db.function('matches_noted', PURE, (text, tags, wanted) =>
    matchesNoted([{ text: asText(text), tags: tagsOf(tags) }], JSON.parse(asText(wanted)) as NotedFilter)
      ? 1
      : 0,
  );
}

function separatorOf(sign: unknown): Separator {
  if (sign === ',' || sign === ';' || sign === '\t') return sign;
  throw new TypeError('no separator of a CSV');
}
