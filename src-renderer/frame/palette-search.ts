/** Searches the palette's commands by title first, then by their other search terms. */
import type { Command } from '../state/app/commands.svelte.ts';
import { type Found, rank } from './fuzzy.ts';

export function search(query: string, commands: readonly Command[]): readonly Found<Command>[] {
  const byTitle = rank(query, commands, (one) => one.title);
  if (query.trim() === '') return byTitle;
  const taken = new Set(byTitle.map(({ item }) => item.id));
  const wanted = query
    .toLowerCase()
    .split(' ')
    .filter((word) => word !== '');
  // Search terms match by their beginnings: a fuzzy match over them would find everything.
  const byKeyword = commands.filter(
    ({ id, title, keywords = '', note = '' }) =>
      !taken.has(id) &&
      wanted.every((word) => ` ${title} ${keywords} ${note}`.toLowerCase().includes(` ${word}`)),
  );
  return [...byTitle, ...byKeyword.map((item) => ({ item, at: [] }))];
}
