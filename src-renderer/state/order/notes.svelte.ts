/** Notes and tags of orders: read, edited, saved, and the tags in use. */
import type { Calls } from '../../bridge.ts';
import {
  cleanTag,
  cleanText,
  isEmptyNote,
  isSameTag,
  MAX_TAGGED,
  MAX_TAGS,
  noteFault,
  tagFault,
  type NoteText,
  type OrderNote,
  type TagUse,
} from '../../../src-shared/domain/history/order-notes.ts';
import type { Failure, Result } from '../../../src-shared/ipc/failures.ts';
import { SerialQueue } from '../../../src-shared/serial-queue.ts';
import type { TimeSource } from '../runtime/clock.svelte.ts';
import { countText } from '../../text/number-text.ts';

const NOTHING: NoteText = { text: '', tags: [] };
/** Saving is shown only if it takes longer than this; else it would flicker with each key. */
const SLOW_MS = 400;

/**
 * One order's note while it is edited. Each change is saved at once, one after another, so that no way of leaving (quitting,
 * a reload, another screen) loses what was typed.
 */
class NoteEdit implements TagsEdit {
  readonly orderId: string;
  /** As typed. */
  text = $state('');
  tags = $state.raw<readonly string[]>([]);
  /** Whether saving takes long enough to be shown. */
  isSlow = $state(false);
  /** Why the last edit is not saved. */
  failure = $state.raw<Failure | null>(null);
  /** Whether an edit was saved since the note was opened. */
  saved = $state(false);
  /** The note as stored, as far as it is known here. */
  #stored = $state.raw<NoteText>(NOTHING);
  #isSaving = false;
  #again = false;
  #saving: Promise<void> = Promise.resolve();
  readonly #put: (note: NoteText) => Promise<Result<OrderNote>>;
  readonly #time: Pick<TimeSource, 'after'>;

  constructor(
    orderId: string,
    stored: NoteText,
    put: (note: NoteText) => Promise<Result<OrderNote>>,
    time: Pick<TimeSource, 'after'>,
  ) {
    this.orderId = orderId;
    this.#put = put;
    this.#time = time;
    this.#stored = stored;
    this.text = stored.text;
    this.tags = stored.tags;
  }

  // No $derived: an edit outlives the component that first used it, and its derived values would not.
  get fault(): string | null {
    return noteFault(cleanText(this.text));
  }
  get isTextChanged(): boolean {
    return cleanText(this.text) !== this.#stored.text;
  }
  get isChanged(): boolean {
    return this.isTextChanged || this.tags.join('\n') !== this.#stored.tags.join('\n');
  }

  /** Saves what changed. Text beyond its limit stays unsaved, tags are saved without it. */
  save(): Promise<void> {
    if (this.#isSaving) this.#again = true;
    else this.#saving = this.#save();
    return this.#saving;
  }
  /** Resolves when nothing is being saved. */
  settled(): Promise<void> {
    return this.#saving;
  }

  async #save(): Promise<void> {
    const sent: NoteText = {
      text: this.fault === null ? cleanText(this.text) : this.#stored.text,
      tags: [...this.tags],
    };
    if (sent.text === this.#stored.text && sent.tags.join('\n') === this.#stored.tags.join('\n')) return;
    this.#isSaving = true;
    const cancelSlow = this.#time.after(SLOW_MS, () => (this.isSlow = true));
    const result = await this.#put(sent);
    cancelSlow();
    this.#isSaving = this.isSlow = false;
    this.failure = result.ok ? null : result.failure;
    if (result.ok) {
      this.#stored = result.data;
      // Tags get the spelling in use. The text stays as typed: it may end in the space before the next word.
      if (this.tags.join('\n') === sent.tags.join('\n')) this.tags = result.data.tags;
      this.saved = true;
    }
    if (!this.#again) return;
    this.#again = false;
    await this.#save();
  }

  /** Shows the text as it is stored, once typing has ended. */
  tidy(): void {
    if (!this.isTextChanged) this.text = this.#stored.text;
  }

  /** Takes the tags the order was given elsewhere, so that saving the text keeps them. Unsaved changes of tags stay. */
  retagged(tags: readonly string[]): void {
    if (this.tags.join('\n') === this.#stored.tags.join('\n')) this.tags = tags;
    this.#stored = { ...this.#stored, tags };
  }

  /** Takes back unsaved text. */
  restore(): void {
    this.text = this.#stored.text;
    this.failure = null;
  }

  /** Adds a tag as typed. Returns what is wrong with it; null if nothing is. */
  add(typed: string): string | null {
    const tag = cleanTag(typed);
    const fault =
      tagFault(tag) ?? (this.tags.length >= MAX_TAGS ? `At most ${MAX_TAGS} tags: remove one first` : null);
    if (fault !== null) return fault;
    if (this.tags.some((one) => isSameTag(one, tag))) return `The tag ${tag} is already there`;
    this.tags = [...this.tags, tag];
    void this.save();
    return null;
  }
  remove(tag: string): void {
    this.tags = this.tags.filter((one) => one !== tag);
    void this.save();
  }
}

/** Tags that are edited: of one order, or of several together. */
export interface TagsEdit {
  readonly tags: readonly string[];
  /** Adds a tag as typed. Returns what is wrong with it; null if nothing is. */
  add(typed: string): string | null;
  remove(tag: string): void;
}

/** The tags that several orders have in common. A change applies to all of them at once. */
export class SharedTags implements TagsEdit {
  /** What the last change did; empty before the first. */
  done = $state('');
  failure = $state.raw<Failure | null>(null);
  #tagsOf = $state.raw<ReadonlyMap<string, readonly string[]>>(new Map());
  readonly #tag: (orderIds: string[], tag: string, on: boolean) => Promise<Result<readonly OrderNote[]>>;

  constructor(
    tagsOf: ReadonlyMap<string, readonly string[]>,
    tag: (orderIds: string[], tag: string, on: boolean) => Promise<Result<readonly OrderNote[]>>,
  ) {
    this.#tagsOf = tagsOf;
    this.#tag = tag;
  }

  get size(): number {
    return this.#tagsOf.size;
  }
  get tags(): readonly string[] {
    const [first = [], ...others] = this.#tagsOf.values();
    return first.filter((tag) => others.every((tags) => tags.some((one) => isSameTag(one, tag))));
  }
  add(typed: string): string | null {
    const tag = cleanTag(typed);
    const fault = tagFault(tag);
    if (fault !== null) return fault;
    if (this.tags.some((one) => isSameTag(one, tag))) return `All have the tag ${tag} already`;
    void this.#change(tag, true);
    return null;
  }
  remove(tag: string): void {
    void this.#change(tag, false);
  }

  async #change(tag: string, on: boolean): Promise<void> {
    const result = await this.#tag([...this.#tagsOf.keys()], tag, on);
    this.failure = result.ok ? null : result.failure;
    this.done = '';
    if (!result.ok) return;
    this.#tagsOf = new Map([
      ...this.#tagsOf,
      ...result.data.map(({ orderId, tags }) => [orderId, tags] as const),
    ]);
    this.done = `${tag}: ${on ? 'added to' : 'removed from'} ${countText(result.data.length)}`;
  }
}

export class OrderNotes {
  /** Tags in use, the most frequent first. */
  tags = $state.raw<readonly TagUse[]>([]);
  /** Notes that were read, by order; one without text and tags was deleted. */
  byOrder = $state.raw<ReadonlyMap<string, OrderNote>>(new Map());
  /** Why the last notes requested could not be read. */
  failure = $state.raw<Failure | null>(null);
  /** Orders whose note is known, those without one included. */
  #known = $state.raw<ReadonlySet<string>>(new Set());
  /** Orders whose note is being read and was not saved meanwhile. */
  readonly #requested = new Set<string>();
  readonly #reads = new SerialQueue();
  #connectionId: string | null = null;
  /** Edits by connection and order id, so that unsaved text is there when its note is opened again, also after a switch. */
  readonly #editsOf = new Map<string, Map<string, NoteEdit>>();
  readonly #calls: Calls;
  readonly #time: Pick<TimeSource, 'after'>;
  readonly #watchers: ((notes: readonly OrderNote[]) => void)[] = [];

  constructor(calls: Calls, time: Pick<TimeSource, 'after'>) {
    this.#calls = calls;
    this.#time = time;
  }

  follow(connectionId: string): void {
    this.#connectionId = connectionId;
    this.tags = [];
    this.byOrder = new Map();
    this.failure = null;
    this.#known = new Set();
    this.#requested.clear();
    for (const edits of this.#editsOf.values())
      for (const [orderId, edit] of edits) if (!edit.isChanged) edits.delete(orderId);
  }
  /** The edits of the followed connection. */
  get #edits(): Map<string, NoteEdit> {
    const id = this.#connectionId ?? '';
    const edits = this.#editsOf.get(id) ?? new Map<string, NoteEdit>();
    this.#editsOf.set(id, edits);
    return edits;
  }

  /** Notes of these connections whose text or tags as typed are not stored: being saved, refused, or beyond their limit. */
  unsavedIn(connectionIds: readonly string[]): number {
    return connectionIds.flatMap((id) =>
      [...(this.#editsOf.get(id)?.values() ?? [])].filter((edit) => edit.isChanged),
    ).length;
  }

  /** Resolves when every change, of any connection, is saved or could not be. */
  async settled(): Promise<void> {
    const edits = [...this.#editsOf.values()].flatMap((one) => [...one.values()]);
    await Promise.all(edits.map((edit) => edit.settled()));
  }

  /** Calls `watcher` with the notes that were saved, from now on. */
  watch(watcher: (notes: readonly OrderNote[]) => void): void {
    this.#watchers.push(watcher);
  }

  /** Returns an order's note; null if it has none, undefined if that is not known yet. */
  of(orderId: string): OrderNote | null | undefined {
    const note = this.byOrder.get(orderId);
    if (note !== undefined) return isEmptyNote(note) ? null : note;
    return this.#known.has(orderId) ? null : undefined;
  }

  /** Returns an order's note as a list: of one, or of none as far as is known. */
  listOf(orderId: string): readonly OrderNote[] {
    const note = this.of(orderId) ?? null;
    return note === null ? [] : [note];
  }

  /** Reads the notes of those orders whose note is not known. One read follows the other: it may have read them. */
  read(orderIds: Iterable<string>): Promise<void> {
    const connectionId = this.#connectionId;
    const wanted = new Set(orderIds);
    return this.#reads.run(() => this.#readUnknown(connectionId, wanted));
  }
  async #readUnknown(connectionId: string | null, wanted: ReadonlySet<string>): Promise<void> {
    const unread = [...wanted].filter((id) => !this.#known.has(id));
    if (connectionId === null || connectionId !== this.#connectionId) return;
    for (let at = 0; at < unread.length; at += MAX_TAGGED) {
      const part = unread.slice(at, at + MAX_TAGGED);
      for (const id of part) this.#requested.add(id);
      const result = await this.#calls.call('trades.notes', { connectionId, orderIds: part });
      if (connectionId !== this.#connectionId) return;
      const read = new Set(part.filter((id) => this.#requested.delete(id)));
      this.failure = result.ok ? null : result.failure;
      if (!result.ok) return;
      // A note that was saved meanwhile is newer than the reply.
      const found = result.data.filter(({ orderId }) => read.has(orderId));
      this.byOrder = new Map([...this.byOrder].filter(([id]) => !read.has(id)));
      this.add(found);
      this.#known = new Set([...this.#known, ...read]);
    }
  }
  /** Has every note read again when it is next needed: an import or a restore may have changed it. */
  forget(): void {
    this.#known = new Set();
  }

  /** Adds notes that came with their orders. */
  add(notes: readonly OrderNote[]): void {
    if (notes.length === 0) return;
    this.byOrder = new Map([...this.byOrder, ...notes.map((note) => [note.orderId, note] as const)]);
  }
  #saved(notes: readonly OrderNote[]): void {
    for (const { orderId } of notes) this.#requested.delete(orderId);
    this.add(notes);
    for (const watcher of this.#watchers) watcher(notes);
  }

  async readTags(): Promise<void> {
    const connectionId = this.#connectionId;
    if (connectionId === null) return;
    const result = await this.#calls.call('trades.tags', { connectionId });
    // Without them nothing is offered; a broken archive is reported by the list.
    if (result.ok && connectionId === this.#connectionId) this.tags = result.data;
  }

  /** Returns the tags of these orders together, each with the tags it has. */
  shared(tagsOf: ReadonlyMap<string, readonly string[]>): SharedTags {
    const connectionId = this.#connectionId ?? '';
    return new SharedTags(tagsOf, async (orderIds, tag, on) => {
      const result = await this.#calls.call('trades.tagOrders', { connectionId, orderIds, tag, on });
      if (!result.ok || connectionId !== this.#connectionId) return result;
      this.#saved(result.data);
      for (const { orderId, tags } of result.data) this.#edits.get(orderId)?.retagged(tags);
      await this.readTags();
      return result;
    });
  }

  /** Returns the edit of an order's note: the one with unsaved changes, or a new one of the stored note. */
  edit(orderId: string, stored: OrderNote | undefined): NoteEdit {
    const known = this.#edits.get(orderId);
    if (known?.isChanged === true) return known;
    const connectionId = this.#connectionId ?? '';
    let tagsBefore = (stored ?? NOTHING).tags.join('\n');
    const put = async ({ text, tags }: NoteText): Promise<Result<OrderNote>> => {
      const input = { connectionId, orderId, text, tags: [...tags] };
      const result = await this.#calls.call('trades.saveNote', input);
      if (!result.ok || connectionId !== this.#connectionId) return result;
      this.#saved([result.data]);
      const tagsNow = result.data.tags.join('\n');
      if (tagsNow !== tagsBefore) await this.readTags();
      tagsBefore = tagsNow;
      return result;
    };
    const edit = new NoteEdit(orderId, stored ?? NOTHING, put, this.#time);
    this.#edits.set(orderId, edit);
    return edit;
  }
}
