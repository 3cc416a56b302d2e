/** Describes which tier convention reproduces a figure, as a sentence. */
import type { Match, Reading } from '../../../src-shared/domain/risk/convention-fit.ts';
import { calculated, isZero } from '../../../src-shared/amount.ts';
import { plainMoney } from '../../text/number-text.ts';
import { roundedMoney } from '../../text/estimate-text.ts';

const RESIDUE_DIGITS = 8;

function readingText({ at, convention, fee }: Reading): string {
  const value = at === 'price' ? '' : `value at ${at}, `;
  return `${value}${convention}, ${fee === 'in' ? 'with' : 'without'} closing fee`;
}

const rounded = (residue: string): string => roundedMoney(residue, RESIDUE_DIGITS);
const isSeen = (residue: string | null): residue is string =>
  residue !== null && !isZero(calculated(rounded(residue)));

/** Names the readings that reproduce the figure, with the residue; if none does, the closest one. */
export function fitSentence({ trials, nearest, isFeeKnown }: Match): {
  readonly text: string;
  readonly fits: boolean;
} {
  const fitting = trials.filter((one) => one.fits);
  const [only, second] = fitting;
  if (only === undefined) {
    const left = nearest?.residue ?? null;
    const near =
      nearest === null || left === null
        ? ''
        : `; closest: ${readingText(nearest.reading)}, off by ${plainMoney(rounded(left))}`;
    const unknown = isFeeKnown ? '' : '; the taker fee is not known';
    return {
      text: `neither flat nor marginal tiers give the exchange’s figure${unknown}${near}`,
      fits: false,
    };
  }
  const residue = isSeen(only.residue) ? ` (off by ${plainMoney(rounded(only.residue))})` : '';
  if (second === undefined) return { text: `${readingText(only.reading)}${residue}`, fits: true };
  const same = <K extends keyof Reading>(key: K): boolean =>
    fitting.every((one) => one.reading[key] === only.reading[key]);
  if (same('convention'))
    return { text: `${fitting.map((one) => readingText(one.reading)).join(' or ')}${residue}`, fits: true };
  return { text: `flat and marginal tiers give the same result${residue}`, fits: true };
}
