/** Mutants without any visible effect, each with the reason. They count as killed. */
export interface Equivalent {
  readonly file: string;
  /** The mutated source text, as StrykerJS reports it. */
  readonly original: string;
  readonly replacement: string;
  readonly why: string;
}

export const EQUIVALENTS: readonly Equivalent[] = [
  {
    file: 'src-shared/amount.ts',
    original: 'e - c.length + 1',
    replacement: 'e - c.length - 1',
    why: 'only the difference of two such exponents is used',
  },
  {
    file: 'src-shared/amount.ts',
    original: 'point < 0',
    replacement: 'point <= 0',
    why: 'a plain decimal never begins with its point',
  },
];
