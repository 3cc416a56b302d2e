import { folded } from '../../src-shared/folded.ts';

/** A match of a fuzzy search: the query's letters in order, ranked higher at word starts or in a row. */
export interface Fit {
  readonly points: number;
  /** Positions of the matched letters, ascending. */
  readonly at: readonly number[];
}

const TOGETHER = 3;
const STARTS = 2;
const GAP = 0.1;

/** Returns the best match, not just the first; null when a letter is missing. Ignores spaces in the query. */
export function fit(query: string, text: string): Fit | null {
  const wanted = folded(query).replaceAll(' ', '');
  const given = folded(text);
  if (wanted.length > given.length) return null;
  if (wanted === '') return { points: 0, at: [] };
  const best = letterScores(wanted, given);
  const ends = best.at(-1) ?? [];
  const points = Math.max(...ends.map((one) => one.points));
  if (points === -Infinity) return null;
  let place = ends.findIndex((one) => one.points === points);
  const at: number[] = [];
  for (const row of best.toReversed()) {
    at.unshift(place);
    place = row[place]?.from ?? -1;
  }
  // A letter that folds to two would mark the one beside it.
  return { points, at: given.length === text.length ? at : [] };
}

/** The score of a letter of the query at a position in the text. */
interface LetterScore {
  /** The best of the query up to this letter; -Infinity where the text has another one. */
  readonly points: number;
  /** Position of the previous letter. */
  readonly from: number;
}

/** Returns a row per letter of the query, with its score at each position in the text. */
function letterScores(wanted: string, given: string): readonly (readonly LetterScore[])[] {
  const rows: LetterScore[][] = [];
  // By UTF-16 units, as the text is read below: an emoji in a name is found, too.
  for (const letter of wanted.split('')) {
    const row: LetterScore[] = [];
    const before = rows.at(-1);
    // Best score of the previous letter so far, less the gap up to here.
    let reach = -Infinity;
    let reachedFrom = -1;
    for (let at = 0; at < given.length; at++) {
      const last = before?.[at - 1]?.points ?? -Infinity;
      reach -= GAP;
      if (last > reach) [reach, reachedFrom] = [last, at - 1];
      const bonus = at === 0 || /[\s\-./:›]/.test(given[at - 1] ?? '') ? STARTS : 0;
      if (given[at] !== letter) row.push({ points: -Infinity, from: -1 });
      else if (before === undefined) row.push({ points: bonus - at * GAP, from: -1 });
      else if (last + TOGETHER >= reach) row.push({ points: last + TOGETHER + bonus, from: at - 1 });
      else row.push({ points: reach + bonus, from: reachedFrom });
    }
    rows.push(row);
  }
  return rows;
}

export interface Found<T> {
  readonly item: T;
  readonly at: readonly number[];
}

interface Titled {
  readonly title: string;
  readonly held?: boolean;
}
const heldFirst = (a: Titled, b: Titled): number => (b.held === true ? 1 : 0) - (a.held === true ? 1 : 0);

/**
 * Returns the matching items, best first; of equal matches the held ones, then those with the shorter title, then as
 * given. All items for an empty query.
 */
export function rank<T extends Titled>(query: string, items: readonly T[]): Found<T>[] {
  if (query.trim() === '') return items.map((item) => ({ item, at: [] }));
  return items
    .map((item) => ({ item, found: fit(query, item.title) }))
    .filter((one): one is { item: T; found: Fit } => one.found !== null)
    .sort(
      (a, b) =>
        b.found.points - a.found.points ||
        heldFirst(a.item, b.item) ||
        a.item.title.length - b.item.title.length,
    )
    .map(({ item, found }) => ({ item, at: found.at }));
}

/** Splits a text into parts, with the matched ones marked. */
export function marked(
  text: string,
  at: readonly number[],
): readonly { readonly text: string; readonly hit: boolean }[] {
  const parts: { text: string; hit: boolean }[] = [];
  let from = 0;
  for (let index = 1; index <= text.length; index++) {
    const hit = at.includes(from);
    if (index < text.length && at.includes(index) === hit) continue;
    parts.push({ text: text.slice(from, index), hit });
    from = index;
  }
  return parts;
}
