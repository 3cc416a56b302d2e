/** Least time between two progress reports, ms: enough for a progress bar, few messages to main. */
export const PROGRESS_INTERVAL_MS = 50;

/** Reports the first step, then at most one per `intervalMs`; the caller reports the last. 0 disables throttling. */
export function throttle<T>(intervalMs: number, report: (step: T) => void): (step: T) => void {
  let reportedAt = -Infinity;
  return (step) => {
    const now = performance.now();
    if (now - reportedAt < intervalMs) return;
    reportedAt = now;
    report(step);
  };
}
