/** One measured figure with its baseline: the minimum cost of the work, or the usual alternative. */
export interface Figure {
  readonly figure: string;
  readonly value: number;
  readonly unit: string;
  /** Describes `baselineValue`; `null` where there is nothing to compare with. */
  readonly baseline: string | null;
  readonly baselineValue: number | null;
}

export interface Bench {
  readonly report: (figure: Figure) => void;
  /** Prints progress for a user, on stderr. */
  readonly note: (text: string) => void;
}

/** The default export of every `bench/NAME.ts`. A rejection fails the run. */
export type BenchFile = (bench: Bench) => Promise<void>;

const rounded = (value: number): number => Number(value.toPrecision(6));

/**
 * Returns the line that outside checks read: `{"bench","figure","value","unit","peer","peerValue","ratio"}`, where
 * `peer` is the baseline.
 */
export function line(bench: string, { figure, value, unit, baseline, baselineValue }: Figure): string {
  const ratio = baselineValue === null || baselineValue === 0 ? null : rounded(value / baselineValue);
  const peerValue = baselineValue === null ? null : rounded(baselineValue);
  return JSON.stringify({ bench, figure, value: rounded(value), unit, peer: baseline, peerValue, ratio });
}

/** The middle value: on a noisy machine the mean includes other processes' load. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) throw new RangeError('median of nothing');
  const lower = sorted[middle - 1];
  return sorted.length % 2 === 1 || lower === undefined ? upper : (lower + upper) / 2;
}
