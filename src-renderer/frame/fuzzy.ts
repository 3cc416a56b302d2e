/** Fuzzy order: letters in sequence, best when they start words or stand together. */
export function score(query: string, text: string): number | null {
  const wanted = query.toLowerCase().replaceAll(' ', '');
  const given = text.toLowerCase();
  let total = 0;
  let from = 0;
  let before = -2;
  for (const letter of wanted) {
    const at = given.indexOf(letter, from);
    if (at < 0) return null;
    const starts = at === 0 || /[\s\-./]/.test(given[at - 1] ?? '');
    total += (at === before + 1 ? 3 : 0) + (starts ? 2 : 0) - (at - from) * 0.1;
    before = at;
    from = at + 1;
  }
  return total - given.length * 0.01;
}

/** Those that fit, best first; all in their own order for an empty query. */
export function rank<T>(query: string, items: readonly T[], textOf: (item: T) => string): T[] {
  if (query.trim() === '') return [...items];
  return items
    .map((item) => ({ item, points: score(query, textOf(item)) }))
    .filter((one): one is { item: T; points: number } => one.points !== null)
    .sort((a, b) => b.points - a.points)
    .map((one) => one.item);
}
