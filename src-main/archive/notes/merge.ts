/** Merges the notes of one archive file into another. An order's later edit wins, a deletion included. */
import { isDamage } from '../sqlite/errors.ts';
import { openDurable } from '../sqlite/open-durable.ts';

/**
 * Merges the notes of `from` into `into`, which has the present schema. An older `from` may have no notes, and of a
 * damaged one none are read. Both must be closed. Repeating it does no harm. Throws SQLite's error, with `into`
 * unchanged.
 */
export function mergeReadableNotes(into: string, from: string): void {
  try {
    mergeNotes(into, from);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

function mergeNotes(into: string, from: string): void {
  const db = openDurable(into);
  try {
    db.exec('PRAGMA trusted_schema = OFF');
    db.prepare('ATTACH ? AS other').run(from);
    const has = db.prepare("SELECT 1 FROM other.sqlite_schema WHERE type = 'table' AND name = 'order_note'");
    if (has.get() === undefined) return;
    db.exec(`INSERT OR REPLACE INTO main.order_note (order_id, text, tags, edited_at)
      SELECT o.order_id, o.text, o.tags, o.edited_at FROM other.order_note AS o
      WHERE NOT EXISTS (SELECT 1 FROM main.order_note AS m
        WHERE m.order_id = o.order_id AND m.edited_at >= o.edited_at)
      ORDER BY o.seq`);
  } finally {
    db.close();
  }
}
