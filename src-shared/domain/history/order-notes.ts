/**
 * Notes and tags that a user keeps with an order, and what a filter asks of them. Tags are the same whatever their case.
 * A round trip has the notes of its orders (`archive/notes/trip-notes.ts`).
 */
export interface NoteText {
  /** Plain text; lines end with LF. */
  readonly text: string;
  readonly tags: readonly string[];
}
export interface OrderNote extends NoteText {
  readonly orderId: string;
  /** Wall clock, ms. */
  readonly editedAt: number;
}
/** A tag in use, as it was first spelled, and the number of orders that have it. */
export interface TagUse {
  readonly tag: string;
  readonly orders: number;
}

export const MAX_NOTE = 4_000;
export const MAX_TAG = 40;
export const MAX_TAGS = 20;
/** Most orders tagged at once. */
export const MAX_TAGGED = 2_000;
/** In a filter of round trips: those without a tag. */
export const UNTAGGED = '';

/** A filter's condition on notes: any of these tags, and this text in a note or a tag; neither is any note or tag. */
export interface NotedFilter {
  readonly tags: readonly string[];
  readonly text: string | null;
}

/** Returns the condition of a filter as it is typed; null for none. */
export function notedFilter(typed: {
  readonly tags: readonly string[];
  readonly note: string;
  readonly isNoted: boolean;
}): { tags: string[]; text: string | null } | null {
  const text = typed.note.trim();
  if (typed.tags.length === 0 && text === '' && !typed.isNoted) return null;
  return { tags: [...typed.tags], text: text === '' ? null : text };
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

export const isSameTag = (a: string, b: string): boolean => folded(a) === folded(b);

/** Groups equal tags, in the order they are first met. */
export const alikeTags = (tags: readonly string[]): readonly string[][] => [
  ...Map.groupBy(tags, folded).values(),
];

/** Returns a tag as it is stored: trimmed, with single spaces. */
export const cleanTag = (typed: string): string => typed.normalize('NFC').trim().replace(/ {2,}/g, ' ');

/** Returns a note as it is stored: lines that end with LF, nothing blank at its end, no other control characters. */
export const cleanText = (typed: string): string =>
  typed
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trimEnd();

/** Returns what is wrong with a cleaned tag; null if nothing is. */
export function tagFault(tag: string): string | null {
  if (tag === '') return 'A tag needs a letter or a digit';
  if (tag.includes(',')) return 'A tag has no comma: enter one tag at a time';
  if (/\p{Cc}/u.test(tag) || !tag.isWellFormed()) return 'A tag is one line of text';
  return tag.length > MAX_TAG ? `At most ${MAX_TAG} characters: this tag has ${tag.length}` : null;
}

/** Returns what is wrong with a note's text; null if nothing is. */
export const noteFault = (text: string): string | null =>
  text.length > MAX_NOTE
    ? `At most ${MAX_NOTE} characters: remove ${text.length - MAX_NOTE} to save it`
    : null;

/** Returns the tags, each once, in their order. */
export const uniqueTags = (tags: readonly string[]): readonly string[] =>
  alikeTags(tags).map(([first]) => first ?? '');

export const isEmptyNote = ({ text, tags }: NoteText): boolean => text === '' && tags.length === 0;

/** Reports whether notes match a filter; a round trip's notes are matched together. */
export function matchesNoted(notes: readonly NoteText[], { tags, text }: NotedFilter): boolean {
  const all = notes.flatMap((one) => one.tags);
  const known = new Set(all.map(folded));
  const isTagged = tags.some((tag) => (tag === UNTAGGED ? known.size === 0 : known.has(folded(tag))));
  if (tags.length > 0 && !isTagged) return false;
  if (text !== null) {
    const wanted = folded(text);
    return [...notes.map((one) => one.text), ...all].some((one) => folded(one).includes(wanted));
  }
  return tags.length > 0 || !notes.every(isEmptyNote);
}
