import { expect, it } from 'vitest';
import type { Match, Trial } from '../../../src-shared/domain/risk/convention-fit.ts';
import { fitSentence } from './fit-text.ts';

const trial = (residue: string | null): Trial => ({
  reading: { at: 'mark', convention: 'flat', fee: 'in' },
  estimate: '1',
  residue,
  fits: true,
});
const matchOf = (one: Trial): Match => ({ reported: '1', trials: [one], nearest: one, isFeeKnown: true });

it('names by how much a figure is missed only where it can be seen', () => {
  const reading = 'value at mark, flat, with closing fee';
  for (const residue of [null, '0', '0.000000001', '-0.000000004'])
    expect(fitSentence(matchOf(trial(residue)))).toEqual({ text: reading, fits: true });
  expect(fitSentence(matchOf(trial('0.00000002'))).text).toBe(`${reading} (off by 0.00000002)`);
});
