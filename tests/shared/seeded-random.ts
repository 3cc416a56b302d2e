/** Seeded randomness for generated inputs: the same seed gives the same inputs on every machine. */
import { seededRandom } from '../domain/lost-orders.ts';

export interface SeededRandom {
  /** A whole number of 0 … below − 1. */
  readonly below: (limit: number) => number;
  one<T>(of: readonly T[]): T;
  /** True in `percent` of a hundred cases. */
  often(percent: number): boolean;
  digits(least: number, most: number): string;
  /** Text of any kind, lone surrogates, controls and markup included. */
  text(most: number): string;
}

const ODD = [
  '"',
  '\\',
  '\u0000',
  '\u001f',
  '\u007f',
  '\u00a0',
  '\u00e9',
  '\u200b',
  '\u202e',
  '\u2028',
  '\ud800',
  '\udc00',
  '\ud83d\ude00',
  '\ufeff',
  '<',
  '>',
  '&',
  "'",
  '=',
  ',',
  ':',
  '{',
  ']',
  'e',
  '0',
  '9',
  '.',
  '-',
  ' ',
];

export function createRandom(seed: number): SeededRandom {
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const self: SeededRandom = {
    below,
    one: (of) => of[below(of.length)]!,
    often: (percent) => random() * 100 < percent,
    digits: (least, most) =>
      Array.from({ length: least + below(most - least + 1) }, () => String(below(10))).join(''),
    text: (most) =>
      Array.from({ length: below(most + 1) }, () =>
        below(2) === 0 ? self.one(ODD) : String.fromCharCode(32 + below(95)),
      ).join(''),
  };
  return self;
}

/** Damages a text one to three times: inserts, deletes, replaces, repeats or swaps characters. */
export function damaged(text: string, random: SeededRandom): string {
  let out = text;
  for (let times = 1 + random.below(3); times > 0; times--) {
    const at = random.below(out.length + 1);
    const sign = random.one(ODD);
    switch (random.below(5)) {
      case 0:
        out = out.slice(0, at) + sign + out.slice(at);
        break;
      case 1:
        out = out.slice(0, at) + out.slice(at + 1);
        break;
      case 2:
        out = out.slice(0, at) + sign + out.slice(at + 1);
        break;
      case 3:
        out = out.slice(0, at) + out.slice(at, at + 8) + out.slice(at);
        break;
      default:
        out = out.slice(0, at) + out.slice(at + 1, at + 2) + out.slice(at, at + 1) + out.slice(at + 2);
    }
  }
  return out;
}

/** The result of fuzzing one subject. A fault includes its seed, so that it can become a test. */
export interface Fuzzed {
  readonly inputs: number;
  readonly accepted: number;
  readonly refused: number;
  readonly faults: readonly string[];
}

const MOST_FAULTS = 20;

/**
 * Runs `classify` on `inputs` seeds from `from`. It returns whether the seed's input was accepted or refused; anything
 * it throws is a fault.
 */
export function fuzz(
  inputs: number,
  from: number,
  classify: (random: SeededRandom) => 'accepted' | 'refused',
): Fuzzed {
  const count = { accepted: 0, refused: 0 };
  const faults: string[] = [];
  for (let seed = from; seed < from + inputs && faults.length < MOST_FAULTS; seed++) {
    try {
      count[classify(createRandom(seed))]++;
    } catch (error) {
      faults.push(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`.slice(0, 500));
    }
  }
  return { inputs, ...count, faults };
}

/** Throws unless a guarantee held. */
export function must(held: boolean, what: string, ...shown: readonly unknown[]): asserts held {
  if (!held) throw new Error(`${what} ${shown.map((one) => JSON.stringify(one)).join(' ')}`);
}
