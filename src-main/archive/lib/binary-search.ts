/** Returns the last of `count` places for which `fits`, which the first fit up to some place; 0 if none does. */
export function lastFit(count: number, fits: (place: number) => boolean): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
