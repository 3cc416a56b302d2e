/** Mutants without any visible effect, each with the reason. They count as killed. */
export interface Equivalent {
  readonly file: string;
  /** The mutated source text, as StrykerJS reports it. */
  readonly original: string;
  readonly replacement: string;
  readonly why: string;
}

export const EQUIVALENTS: readonly Equivalent[] = [];
