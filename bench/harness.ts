/** One measured figure with its peer: the minimum cost of the work, or the usual alternative. */
export interface Figure {
  readonly figure: string;
  readonly value: number;
  readonly unit: string;
  /** Describes `peerValue`; `null` where there is nothing to compare with. */
  readonly peer: string | null;
  readonly peerValue: number | null;
}

export interface Bench {
  readonly report: (figure: Figure) => void;
  /** Prints progress for a user, on stderr. */
  readonly note: (text: string) => void;
}

/** The default export of every `bench/NAME.ts`. A rejection fails the run. */
export type BenchFile = (bench: Bench) => Promise<void>;

const rounded = (value: number): number => Number(value.toPrecision(6));

/** The line that outside checks read: `{"bench","figure","value","unit","peer","peerValue","ratio"}`. */
export function line(bench: string, { figure, value, unit, peer, peerValue }: Figure): string {
  const ratio = peerValue === null || peerValue === 0 ? null : rounded(value / peerValue);
  const shown = { value: rounded(value), peerValue: peerValue === null ? null : rounded(peerValue) };
  return JSON.stringify({ bench, figure, value: shown.value, unit, peer, peerValue: shown.peerValue, ratio });
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
