/** One measured figure beside what it is judged by: the least the work can cost, or what one would pick instead. */
export interface Figure {
  readonly figure: string;
  readonly value: number;
  readonly unit: string;
  /** What `peerValue` is, in words; `null` where there is nothing to compare with. */
  readonly peer: string | null;
  readonly peerValue: number | null;
}

export interface Bench {
  readonly report: (figure: Figure) => void;
  /** For a person watching: goes to stderr. */
  readonly note: (text: string) => void;
}

/** What every `bench/NAME.ts` exports as its default. A rejection fails the run. */
export type BenchFile = (bench: Bench) => Promise<void>;

const rounded = (value: number): number => Number(value.toPrecision(6));

/** The line outside checks read: `{"bench","figure","value","unit","peer","peerValue","ratio"}`. */
export function line(bench: string, { figure, value, unit, peer, peerValue }: Figure): string {
  const ratio = peerValue === null || peerValue === 0 ? null : rounded(value / peerValue);
  const shown = { value: rounded(value), peerValue: peerValue === null ? null : rounded(peerValue) };
  return JSON.stringify({ bench, figure, value: shown.value, unit, peer, peerValue: shown.peerValue, ratio });
}

/** Middle value: a noisy machine makes the mean tell about its neighbours. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) throw new RangeError('median of nothing');
  const lower = sorted[middle - 1];
  return sorted.length % 2 === 1 || lower === undefined ? upper : (lower + upper) / 2;
}
