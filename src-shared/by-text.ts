/** Returns a comparer by a text of each element, in the order in which `sort()` puts texts. */
export const byText =
  <T>(textOf: (one: T) => string) =>
  (one: T, other: T): -1 | 0 | 1 => {
    const [a, b] = [textOf(one), textOf(other)];
    return a < b ? -1 : a > b ? 1 : 0;
  };
