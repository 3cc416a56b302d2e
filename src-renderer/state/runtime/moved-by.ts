/** Returns the list with one entry moved one place towards its start (−1) or its end (1); as it is at an end. */
export function movedBy<T>(list: readonly T[], one: T, by: -1 | 1): T[] {
  const from = list.indexOf(one);
  const to = from + by;
  if (from < 0 || to < 0 || to >= list.length) return [...list];
  return list.toSpliced(from, 1).toSpliced(to, 0, one);
}
