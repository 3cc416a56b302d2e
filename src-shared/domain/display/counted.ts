/** Returns a count with its word: `1 order`, `1204 orders`. The window writes the digits in the chosen format. */
export const counted = (count: number, one: string, many = `${one}s`, digits = String(count)): string =>
  `${digits} ${count === 1 ? one : many}`;
