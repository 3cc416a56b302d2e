/** Searches the palette's commands: by words of the title, by the other search terms, then by letters of the title. */
import { folded } from '../../src-shared/folded.ts';
import { type Found, rank } from './fuzzy.ts';
import type { Command } from './palette-commands.ts';

export function search(query: string, commands: readonly Command[]): readonly Found<Command>[] {
  const byTitle = rank(query, commands);
  if (query.trim() === '') return byTitle;
  const wanted = folded(query)
    .split(' ')
    .filter((word) => word !== '');
  // By their beginnings: a fuzzy match over all terms would find everything.
  const hasWords = (...terms: string[]): boolean =>
    wanted.every((word) => ` ${folded(terms.join(' '))}`.includes(` ${word}`));
  const byWords = byTitle.filter(({ item }) => hasWords(item.title));
  const titled = new Set(byWords.map(({ item }) => item));
  // Words of the title in another order than the title's are found here, too.
  const byTerms = commands.filter(
    (one) => !titled.has(one) && hasWords(one.title, one.keywords ?? '', one.note ?? ''),
  );
  const found = new Set([...titled, ...byTerms]);
  return [
    ...byWords,
    ...byTerms.map((item) => ({ item, at: [] })),
    // Letters scattered over a title are a guess, after everything that has the words.
    ...byTitle.filter(({ item }) => !found.has(item)),
  ];
}
