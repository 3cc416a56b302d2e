/** One line of the app changed on purpose; a test has to fail. */
export interface Mutant {
  /** What the line protects, in a few words. */
  readonly protects: string;
  readonly file: string;
  /** Found exactly once in the file. */
  readonly line: string;
  readonly becomes: string;
  /** The smallest test files that must fail. */
  readonly tests: readonly string[];
}

/** Mutants of one file: [protects, line, becomes, …more tests]. */
export const of = (
  file: string,
  tests: readonly string[],
  ...rows: readonly (readonly [protects: string, line: string, becomes: string])[]
): readonly Mutant[] => rows.map(([protects, line, becomes]) => ({ protects, file, line, becomes, tests }));
