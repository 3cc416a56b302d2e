/** Timers and a clock that only move when the test moves them. */
export const NOW = Date.UTC(2026, 10, 21, 12);

export function createTime() {
  let now = NOW;
  let timers: { at: number; run: () => void }[] = [];
  return {
    clock: { now: () => now },
    timers: {
      after(ms: number, run: () => void) {
        const timer = { at: now + ms, run };
        timers.push(timer);
        return () => {
          timers = timers.filter((one) => one !== timer);
        };
      },
    },
    /** Runs everything that waits for no timer. */
    settle: () => new Promise<void>((resolve) => setImmediate(resolve)),
    async pass(ms: number) {
      const end = now + ms;
      for (;;) {
        await this.settle();
        const next = timers.filter((one) => one.at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        timers = timers.filter((one) => one !== next);
        now = Math.max(now, next.at);
        next.run();
      }
      now = end;
    },
  };
}
