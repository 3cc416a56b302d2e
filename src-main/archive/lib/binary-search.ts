/**
 * Returns the last place below `count` that `fits`, by binary search; 0 if none does. Every place before one that fits
 * must fit too.
 */
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
