/** A bar that moves needs no more: a million rows are written in hundreds of steps a second, each a message to main. */
export const TELL_MS = 50;

/** Tells the first step, then at most one each `everyMs`; the last one is the caller's to tell. 0: all of them. */
export function seldom<T>(everyMs: number, tell: (step: T) => void): (step: T) => void {
  let toldAt = -Infinity;
  return (step) => {
    const now = performance.now();
    if (now - toldAt < everyMs) return;
    toldAt = now;
    tell(step);
  };
}
