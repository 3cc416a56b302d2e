import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src-shared/ipc/default-settings.ts';
import {
  columnScale,
  counted,
  donePercent,
  groupMark,
  numberText,
  percentOf,
  plainNumber,
  groupedText,
  messageText,
  timesText,
} from './number-text.ts';
import { shownAs } from './shown-as.svelte.ts';

const digits = (most: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: most }).map((list) => list.join(''));
const decimal = fc
  .record({
    minus: fc.boolean(),
    whole: digits(20).map((text) => text.replace(/^0+(?=\d)/, '')),
    fraction: fc.option(digits(18), { nil: null }),
  })
  .map(
    ({ minus, whole, fraction }) => `${minus ? '-' : ''}${whole}${fraction === null ? '' : `.${fraction}`}`,
  );

afterEach(() => {
  shownAs.value = DEFAULT_SETTINGS;
});

describe('a number as shown', () => {
  it('keeps every received digit, whatever its size', () => {
    fc.assert(
      fc.property(decimal, (text) => {
        const shown = plainNumber(text).replaceAll(',', '').replace('\u2212', '-');
        const zero = /^-0(?:\.0*)?$/.test(text);
        expect(shown).toBe(zero ? text.slice(1) : text);
      }),
      { numRuns: 500 },
    );
  });

  it('reads back as the same number in every format', () => {
    const format = fc.record({
      grouping: fc.constantFrom('comma' as const, 'space' as const, 'none' as const),
      decimalMark: fc.constantFrom('point' as const, 'comma' as const),
    });
    fc.assert(
      fc.property(decimal, format, fc.integer({ min: 0, max: 20 }), (text, marks, decimals) => {
        shownAs.value = { ...DEFAULT_SETTINGS, ...marks };
        const point = marks.decimalMark === 'comma' ? ',' : '.';
        expect(groupMark()).not.toBe(point);
        // A field reads a point as the decimal mark.
        expect(groupMark()).not.toBe('.');
        const shown = plainNumber(text, { decimals });
        const ungrouped = groupMark() === '' ? shown : shown.replaceAll(groupMark(), '');
        const read = ungrouped.replace(point, '.').replace('\u2212', '-');
        const zero = /^-0(?:\.0*)?$/.test(text);
        const given = zero ? text.slice(1) : text;
        // Only zeros may follow the received digits.
        expect(read.startsWith(given)).toBe(true);
        expect(read.slice(given.length)).toMatch(given.includes('.') ? /^0*$/ : /^(?:\.0+)?$/);
      }),
      { numRuns: 500 },
    );
  });

  it('pads to the column’s scale and never cuts to it', () => {
    expect(plainNumber('12.5', { decimals: 3 })).toBe('12.500');
    expect(plainNumber('12.56789', { decimals: 3 })).toBe('12.56789');
    expect(plainNumber('7', { decimals: 2 })).toBe('7.00');
  });

  it('groups digits in threes from the decimal mark, with the chosen mark', () => {
    expect(plainNumber('1042313.75')).toBe('1,042,313.75');
    expect(plainNumber('999')).toBe('999');
    shownAs.value = { ...DEFAULT_SETTINGS, grouping: 'space' };
    expect(plainNumber('1042313.75')).toBe('1\u2009042\u2009313.75');
    shownAs.value = { ...DEFAULT_SETTINGS, grouping: 'none' };
    expect(plainNumber('1042313.75')).toBe('1042313.75');
    shownAs.value = { ...DEFAULT_SETTINGS, decimalMark: 'comma' };
    expect(plainNumber('1042313.75')).toBe('1\u2009042\u2009313,75');
  });

  it('has a true minus sign, and a plus only where requested and not on zero', () => {
    expect(numberText('-1.5').sign).toBe('\u2212');
    expect(numberText('1.5').sign).toBe('');
    expect(numberText('1.5', { signed: true }).sign).toBe('+');
    expect(numberText('0.00', { signed: true }).sign).toBe('');
  });

  it('shows shares in percent with 2 decimals, 1 from 100 % on', () => {
    expect(['0.101056645', '-0.1673', '0.99994', '1.33', '-1'].map((one) => percentOf(one))).toEqual([
      '10.11',
      '-16.73',
      '99.99',
      '133.0',
      '-100.0',
    ]);
  });

  it('takes a column’s scale from its longest fraction', () => {
    expect(columnScale(['1', null, '0.50', '', undefined, '2.125'])).toBe(3);
  });
});

it('groups the amounts in a message, and nothing else in it', () => {
  expect(groupedText('Mark 62055.3, −1459.84 USDT: code 700068')).toBe(
    'Mark 62,055.3, −1,459.84 USDT: code 700068',
  );
  expect(groupedText('11940.2× your USDT equity, 2187.70% away')).toBe(
    '11,940.2× your USDT equity, 2,187.70% away',
  );
  expect(groupedText('use “1002”, not 1002 or 0002')).toBe('use “1002”, not 1,002 or 0002');
  for (const place of ['/home/me/12345/a.csv', 'C:\\12345\\6789', 'https://localhost:8443/v1', '[::1]:8443'])
    expect(groupedText(`${place}: 1000 rows`)).toBe(`${place}: 1,000 rows`);
});

it('writes an amount of a message with the decimals that it has beside it', () => {
  shownAs.quoteCoins = new Set(['USDT']);
  const text = 'SOL-USDT-M long liquidated · 32 at 130.1 · −1467.2 USDT, +5 USDT, 0.5 BTC “0.1 USDT”';
  try {
    expect(messageText(text)).toBe(
      'SOL-USDT-M long liquidated · 32 at 130.1 · −1,467.20 USDT, +5.00 USDT, 0.5 BTC “0.1 USDT”',
    );
    // A quantity of an inverse contract, and one before the id of a contract.
    const quantities = 'Closes your long of 100 USDT. Bought 0.5 USDT-USD-M';
    expect(messageText(quantities)).toBe(quantities);
    shownAs.value = { ...shownAs.value, precision: 'received' };
    expect(messageText('−467.2 USDT')).toBe('−467.2 USDT');
  } finally {
    shownAs.value = DEFAULT_SETTINGS;
    shownAs.quoteCoins = new Set();
  }
});

it('writes the decimals of a message with the mark of the other figures', () => {
  shownAs.value = { ...shownAs.value, decimalMark: 'comma' };
  try {
    expect(groupedText('32.0 at 130.09, −1459.84 USDT: 0.5% of 12, tier 2.')).toBe(
      '32,0 at 130,09, −1\u2009459,84 USDT: 0,5% of 12, tier 2.',
    );
  } finally {
    shownAs.value = DEFAULT_SETTINGS;
  }
});

it('never fails on a message, whatever numbers it has', () => {
  const part = fc.oneof(fc.constantFrom(',', '.', '−', '-', '+', ' ', '“', '”', 'x'), digits(50));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const message = parts.join('');
      expect(groupedText(message).replaceAll(',', '')).toBe(message.replaceAll(',', ''));
    }),
  );
});

it('groups the digits of a multiple', () => {
  expect([timesText('20'), timesText(1000), timesText('11940.2')]).toEqual(['20×', '1,000×', '11,940.2×']);
});

it('is done only when all is', () => {
  expect([donePercent(1, 3), donePercent(9_999, 10_000), donePercent(3, 2)]).toEqual([33.3, 99.9, 100]);
  expect([donePercent(1, null), donePercent(0, 0)]).toEqual([null, null]);
});

it('writes a count with its word', () => {
  expect([0, 1, 1_204].map((count) => counted(count, 'order'))).toEqual([
    '0 orders',
    '1 order',
    '1,204 orders',
  ]);
  expect(counted(2, 'delivery', 'deliveries')).toBe('2 deliveries');
});
