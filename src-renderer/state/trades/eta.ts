/** Throughput of an export and its remaining time. */
export interface Pace {
  readonly id: string;
  /** null until there is enough data. */
  at(
    rows: number,
    total: number,
    now: number,
  ): { readonly perSecond: number; readonly leftMs: number } | null;
}

/** Before that, ms, the pace of the first rows says little. */
const TELLING_MS = 300;

export function startPace(id: string, begun: number): Pace {
  return {
    id,
    at(rows, total, now) {
      const passed = now - begun;
      if (passed < TELLING_MS || rows === 0) return null;
      const perMs = rows / passed;
      return { perSecond: perMs * 1_000, leftMs: Math.max(0, total - rows) / perMs };
    },
  };
}

/** `about 2 s left`, in words. */
export function leftText(leftMs: number): string {
  const seconds = Math.max(1, Math.ceil(leftMs / 1_000));
  return seconds < 90 ? `about ${seconds} s left` : `about ${Math.ceil(seconds / 60)} min left`;
}
