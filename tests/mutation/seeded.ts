/** One line of the app made wrong on purpose; a test has to see it. */
export interface Mutant {
  /** What the line keeps safe, in a few words. */
  readonly keeps: string;
  readonly file: string;
  /** Found exactly once in the file. */
  readonly line: string;
  readonly becomes: string;
  /** The smallest test files that must see it. */
  readonly tests: readonly string[];
}

/** Mutants of one file: [keeps, line, becomes, …more tests]. */
export const of = (
  file: string,
  tests: readonly string[],
  ...rows: readonly (readonly [keeps: string, line: string, becomes: string])[]
): readonly Mutant[] => rows.map(([keeps, line, becomes]) => ({ keeps, file, line, becomes, tests }));
