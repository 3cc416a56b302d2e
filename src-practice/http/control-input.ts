/** Validates the inputs of the controls, field by field. (The dependency rules allow the exchange no validator.) */
import { isRecord } from '../../src-shared/exchange-api/fields.ts';
import { accept, reject } from '../engine/request.ts';
import type { Checked } from '../engine/request.ts';

interface Field<T> {
  readonly expected: string;
  readonly optional: boolean;
  readonly accepts: (value: unknown) => value is T;
}

type Shape = Readonly<Record<string, Field<unknown>>>;
type ValueOf<F> = F extends Field<infer T> ? T : never;
type RequiredOf<S extends Shape> = {
  [K in keyof S as S[K]['optional'] extends true ? never : K]: ValueOf<S[K]>;
};
type OptionalOf<S extends Shape> = {
  [K in keyof S as S[K]['optional'] extends true ? K : never]?: ValueOf<S[K]>;
};
export type InputOf<S extends Shape> = RequiredOf<S> & OptionalOf<S>;

interface Needed<T> extends Field<T> {
  readonly optional: false;
}

const field = <T>(expected: string, accepts: (value: unknown) => value is T): Needed<T> => ({
  expected,
  optional: false,
  accepts,
});

export const number = (low: number, high: number): Needed<number> =>
  field(
    `a number from ${low} to ${high}`,
    (value): value is number => typeof value === 'number' && value >= low && value <= high,
  );
export const whole = (low: number, high: number): Needed<number> => {
  const { accepts } = number(low, high);
  return field(
    `a whole number from ${low} to ${high}`,
    (value): value is number => accepts(value) && Number.isInteger(value),
  );
};
export const text: Needed<string> = field(
  'a text of at most 100 characters',
  (value): value is string => typeof value === 'string' && value.length <= 100,
);
export const flag: Needed<boolean> = field('true or false', (value) => typeof value === 'boolean');
export const record: Needed<Readonly<Record<string, unknown>>> = field('a JSON object', isRecord);
export const oneOf = <const Choice extends string>(choices: readonly Choice[]): Needed<Choice> =>
  field(`one of ${choices.join(', ')}`, (value): value is Choice => choices.some((one) => one === value));
export const optional = <T>(needed: Needed<T>): Field<T> & { readonly optional: true } => ({
  ...needed,
  optional: true,
});

/** Reads an object of exactly these fields; the first invalid field rejects it by name. */
export function readInput<S extends Shape>(shape: S, input: unknown): Checked<InputOf<S>> {
  if (!isRecord(input)) return reject('700004', 'the body must be a JSON object');
  const unknown = Object.keys(input).find((name) => !Object.hasOwn(shape, name));
  if (unknown !== undefined) return reject('700004', `unknown field ${unknown.slice(0, 40)}`);
  for (const [name, { expected, optional: mayMiss, accepts }] of Object.entries(shape)) {
    const missing = !Object.hasOwn(input, name);
    if (missing ? !mayMiss : !accepts(input[name])) return reject('700004', `${name} must be ${expected}`);
  }
  return accept(checked(shape, input));
}

/** Types the input. Its caller has just validated every field of the shape. */
const checked = <S extends Shape>(_shape: S, input: Record<string, unknown>): InputOf<S> =>
  input as InputOf<S>;
