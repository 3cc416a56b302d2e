import { expect, it } from 'vitest';
import type { ProfitFinding } from '../../src-shared/ipc/profit.ts';
import { evidenceText, profitFindingText } from './profit-text.ts';

const NOTHING: ProfitFinding = {
  ...{ before: 0, after: 0, afterAll: 0, undecidable: 0 },
  ...{ found: null, convention: 'before-fees' },
};

it('counts closed positions by what they show', () => {
  expect(evidenceText(NOTHING)).toBe('no closed position to compare yet');
  expect(evidenceText({ ...NOTHING, undecidable: 1 })).toBe('1 closed position: 1 that do not show it');
  expect(evidenceText({ ...NOTHING, before: 150, after: 2, afterAll: 1, undecidable: 47 })).toBe(
    '200 closed positions: 150 before fees, 2 after the closing fee, 1 after all fees, 47 that do not show it',
  );
});

it('says how closed PnL is read, why, and what follows', () => {
  const after = { ...NOTHING, after: 3, found: 'after-fees', convention: 'after-fees' } as const;
  expect(profitFindingText(after, undefined)).toBe(
    'The exchange’s closed PnL is after the fee of the closing order (3 closed positions: 3 after the closing fee). Ballast adds the fee back, so none is counted twice.',
  );
  expect(profitFindingText({ ...after, found: 'after-all-fees', after: 0, afterAll: 4 }, undefined)).toBe(
    'The exchange’s closed PnL is after all fees of a position (4 closed positions: 4 after all fees). Ballast adds the closing fee back; opening fees are counted twice.',
  );
  expect(profitFindingText(NOTHING, undefined)).toBe(
    'Not detected whether the exchange’s closed PnL is before fees. It is read as before fees (no closed position to compare yet).',
  );
  expect(profitFindingText({ ...NOTHING, convention: 'after-fees' }, 'after-fees')).toBe(
    'Not detected whether the exchange’s closed PnL is before fees. It is read as after the fee of the closing order, as set for this connection (no closed position to compare yet). Ballast adds the fee back, so none is counted twice.',
  );
});
