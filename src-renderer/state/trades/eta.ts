/** Throughput of an export and its remaining time. */
export interface ThroughputMeter {
  readonly id: string;
  /** null until there is enough data. */
  at(
    rows: number,
    total: number,
    now: number,
  ): { readonly perSecond: number; readonly leftMs: number } | null;
}

/** Until then, ms, the rate of the first rows means little. */
const MIN_ELAPSED_MS = 300;

export function startThroughput(id: string, begun: number): ThroughputMeter {
  return {
    id,
    at(rows, total, now) {
      const passed = now - begun;
      if (passed < MIN_ELAPSED_MS || rows === 0) return null;
      const perMs = rows / passed;
      return { perSecond: perMs * 1_000, leftMs: Math.max(0, total - rows) / perMs };
    },
  };
}

/** Returns the remaining time in words: `about 2 s left`. */
export function leftText(leftMs: number): string {
  const seconds = Math.max(1, Math.ceil(leftMs / 1_000));
  return seconds < 90 ? `about ${seconds} s left` : `about ${Math.ceil(seconds / 60)} min left`;
}
