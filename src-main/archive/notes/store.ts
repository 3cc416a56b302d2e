/** The user's notes and tags of orders. */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { byText } from '../../../src-shared/by-text.ts';
import {
  alikeTags,
  cleanTag,
  cleanText,
  isEmptyNote,
  isSameTag,
  noteFault,
  MAX_TAGS,
  tagFault,
  uniqueTags,
  type NoteText,
  type OrderNote,
  type TagUse,
} from '../../../src-shared/domain/history/order-notes.ts';
import { blockedFailure } from '../../../src-shared/ipc/failures.ts';
import type { TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { ArchiveFault } from '../sqlite/errors.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { inTransaction } from '../sqlite/transaction.ts';
import { idsAsJson, idText, storedId } from '../sqlite/ids.ts';

/** Reads the column `tags`. */
export const tagsOf = (stored: SQLOutputValue | undefined): readonly string[] =>
  (JSON.parse(asText(stored)) as unknown[]).filter((tag) => typeof tag === 'string');

export const NOTE_ROW = `${idText('n.order_id')} AS order_id, n.text, n.tags, n.edited_at`;
export const noteOf = (row: Record<string, SQLOutputValue>): OrderNote => ({
  orderId: asText(row['order_id']),
  text: asText(row['text']),
  tags: tagsOf(row['tags']),
  editedAt: asInteger(row['edited_at']),
});
/** SQL condition: note `n` was not deleted. */
export const NOT_DELETED = `(n.text <> '' OR n.tags <> '[]')`;

export class NoteStore {
  readonly #put: StatementSync;
  readonly #find: StatementSync;
  readonly #tags: StatementSync;
  readonly #newest: StatementSync;
  readonly #ofOrders: StatementSync;
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#put = db.prepare(
      'INSERT OR REPLACE INTO order_note (order_id, text, tags, edited_at) VALUES (?, ?, ?, ?)',
    );
    this.#find = db.prepare(`SELECT ${NOTE_ROW} FROM order_note AS n WHERE n.order_id = ?`);
    this.#tags = db.prepare(`SELECT n.tags FROM order_note AS n WHERE n.tags <> '[]' ORDER BY n.seq`);
    this.#ofOrders = db.prepare(
      `SELECT ${NOTE_ROW} FROM json_each(?) AS part CROSS JOIN order_note AS n ON n.order_id = part.value
       WHERE ${NOT_DELETED}`,
    );
    this.#newest = db.prepare('SELECT coalesce(max(seq), 0) AS seq FROM order_note');
  }

  /**
   * Stores a note in place of the order's; one without text and tags deletes it. A known tag keeps its spelling.
   * `now`: wall clock, ms. Throws ArchiveFault for one beyond its limits.
   */
  save(now: number, orderId: string, note: NoteText): OrderNote {
    return this.#save(now, orderId, note, this.tags());
  }
  #save(now: number, orderId: string, { text, tags }: NoteText, known: readonly TagUse[]): OrderNote {
    const before = this.of(orderId);
    const spelled = tags.map(cleanTag).map((tag) => known.find((one) => isSameTag(one.tag, tag))?.tag ?? tag);
    const note: OrderNote = {
      orderId,
      text: cleanText(text),
      tags: uniqueTags(spelled),
      // Later than what it replaces, even if the clock was set back: a merge keeps the latest.
      editedAt: Math.max(now, (before?.editedAt ?? 0) + 1),
    };
    assertWithinLimits(note);
    if (before !== null || !isEmptyNote(note))
      this.#put.run(storedId(orderId), note.text, JSON.stringify(note.tags), note.editedAt);
    return note;
  }

  /** Stores notes of orders that have none. */
  saveMissing(now: number, notes: ReadonlyMap<string, NoteText>): void {
    const known = notes.size === 0 ? [] : this.tags();
    for (const [orderId, note] of notes) {
      const before = this.of(orderId);
      if (before === null || isEmptyNote(before)) this.#save(now, orderId, note, known);
    }
  }

  /**
   * Adds a tag to orders, or removes it from them, all or none; returns the notes that changed. Throws ArchiveFault if one
   * of them has no place for it.
   */
  tagOrders(now: number, orderIds: readonly string[], tag: string, on: boolean): readonly OrderNote[] {
    const known = this.tags();
    return inTransaction(this.#db, () =>
      [...new Set(orderIds)].flatMap((orderId) => {
        const { text, tags } = this.of(orderId) ?? NO_NOTE;
        const others = tags.filter((one) => !isSameTag(one, cleanTag(tag)));
        if (on === others.length < tags.length) return [];
        return [this.#save(now, orderId, { text, tags: on ? [...tags, tag] : others }, known)];
      }),
    );
  }

  /** Returns the notes of those orders that have one. */
  ofOrders(orderIds: readonly string[]): readonly OrderNote[] {
    if (this.revision() === 0) return [];
    return this.#ofOrders.all(idsAsJson(new Set(orderIds))).map(noteOf);
  }

  /** Returns an order's note; one without text and tags if it was deleted, null if there never was one. */
  of(orderId: string): OrderNote | null {
    const row = this.#find.get(storedId(orderId));
    return row === undefined ? null : noteOf(row);
  }

  /** Returns the tags in use, the most frequent first. */
  tags(): readonly TagUse[] {
    const all = this.#tags.all().flatMap((row) => tagsOf(row['tags']));
    return alikeTags(all)
      .map((alike) => ({ tag: alike[0] ?? '', orders: alike.length }))
      .sort(byText((one) => one.tag))
      .sort((a, b) => b.orders - a.orders);
  }

  /** Grows with each edit of a note, by any connection to the file. */
  revision(): number {
    return asInteger(this.#newest.get()?.['seq']);
  }

  /** Returns the cache key of a filter's result. It changes with the notes only if the filter has a condition on them. */
  keyOf(filter: TradeFilter): string {
    return `${JSON.stringify(filter)} ${filter.noted === null ? '' : this.revision()}`;
  }
}

const NO_NOTE: NoteText = { text: '', tags: [] };

function assertWithinLimits({ text, tags }: OrderNote): void {
  const wrong = tags.find((tag) => tagFault(tag) !== null);
  if (wrong !== undefined)
    throw fault(`The tag “${wrong.slice(0, 60)}” cannot be stored`, tagFault(wrong), 'tags');
  if (tags.length > MAX_TAGS)
    throw fault(`${tags.length} tags are too many`, `At most ${MAX_TAGS}: remove some`, 'tags');
  const long = noteFault(text);
  if (long !== null) throw fault('The note is too long', long, 'text');
}

const fault = (message: string, next: string | null, field: string): ArchiveFault =>
  new ArchiveFault(blockedFailure(`${message}.`, `${next ?? ''}.`, field));
