/** Notes and tags of orders: edited, saved, and the tags in use. */
import type { Calls } from '../../bridge.ts';
import {
  cleanTag,
  cleanText,
  isSameTag,
  MAX_TAGS,
  noteFault,
  tagFault,
  type NoteText,
  type OrderNote,
  type TagUse,
} from '../../../src-shared/domain/history/order-notes.ts';
import type { Failure, Result } from '../../../src-shared/ipc/failures.ts';

const NOTHING: NoteText = { text: '', tags: [] };

/** One order's note while it is edited. Text is saved on request, tags at once. */
export class NoteEdit {
  readonly orderId: string;
  /** As typed. */
  text = $state('');
  tags = $state.raw<readonly string[]>([]);
  saving = $state(false);
  /** Why the last edit is not saved. */
  failure = $state.raw<Failure | null>(null);
  /** It was saved since it was opened. */
  saved = $state(false);
  /** The note as stored, as far as it is known here. */
  #stored = $state.raw<NoteText>(NOTHING);
  #again = false;
  readonly #put: (note: NoteText) => Promise<Result<OrderNote>>;

  constructor(orderId: string, stored: NoteText, put: (note: NoteText) => Promise<Result<OrderNote>>) {
    this.orderId = orderId;
    this.#put = put;
    this.#take(stored);
  }
  #take(note: NoteText): void {
    this.#stored = note;
    this.text = note.text;
    this.tags = note.tags;
  }

  // No $derived: an edit outlives the component that first asked for it, and its derived values would not.
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
  async save(): Promise<void> {
    if (this.saving) {
      this.#again = true;
      return;
    }
    const sent: NoteText = {
      text: this.fault === null ? cleanText(this.text) : this.#stored.text,
      tags: [...this.tags],
    };
    if (sent.text === this.#stored.text && sent.tags.join('\n') === this.#stored.tags.join('\n')) return;
    this.saving = true;
    const result = await this.#put(sent);
    this.saving = false;
    this.failure = result.ok ? null : result.failure;
    if (result.ok) {
      const isTyping = cleanText(this.text) !== sent.text;
      const isTagging = this.tags.join('\n') !== sent.tags.join('\n');
      const { text, tags } = this;
      this.#take(result.data);
      if (isTyping) this.text = text;
      if (isTagging) this.tags = tags;
      this.saved = true;
    }
    if (!this.#again) return;
    this.#again = false;
    await this.save();
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
    if (this.tags.some((one) => isSameTag(one, tag))) return `It has the tag ${tag} already`;
    this.tags = [...this.tags, tag];
    void this.save();
    return null;
  }
  remove(tag: string): void {
    this.tags = this.tags.filter((one) => one !== tag);
    void this.save();
  }
}

export class TradeNotes {
  /** Tags in use, the most frequent first. */
  tags = $state.raw<readonly TagUse[]>([]);
  #connectionId: string | null = null;
  /** By order: what could not be saved is there again when the note is. */
  readonly #edits = new Map<string, NoteEdit>();
  readonly #calls: Calls;
  readonly #took: (note: OrderNote) => void;

  /** @param took called with each note that was saved */
  constructor(calls: Calls, took: (note: OrderNote) => void) {
    this.#calls = calls;
    this.#took = took;
  }

  follow(connectionId: string): void {
    this.#connectionId = connectionId;
    this.tags = [];
    this.#edits.clear();
  }

  async readTags(): Promise<void> {
    const connectionId = this.#connectionId;
    if (connectionId === null) return;
    const result = await this.#calls.call('trades.tags', { connectionId });
    // Without them nothing is offered; a broken archive is reported by the list.
    if (result.ok && connectionId === this.#connectionId) this.tags = result.data;
  }

  /** Returns the edit of an order's note: with what is not saved yet, or as it is stored. */
  edit(orderId: string, stored: OrderNote | undefined): NoteEdit {
    const known = this.#edits.get(orderId);
    if (known?.isChanged === true) return known;
    const connectionId = this.#connectionId ?? '';
    const edit = new NoteEdit(orderId, stored ?? NOTHING, (note) => this.#put(connectionId, orderId, note));
    this.#edits.set(orderId, edit);
    return edit;
  }
  async #put(connectionId: string, orderId: string, { text, tags }: NoteText): Promise<Result<OrderNote>> {
    const result = await this.#calls.call('trades.saveNote', {
      connectionId,
      orderId,
      text,
      tags: [...tags],
    });
    if (!result.ok || connectionId !== this.#connectionId) return result;
    this.#took(result.data);
    await this.readTags();
    return result;
  }
}
