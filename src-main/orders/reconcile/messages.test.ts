import { describe, expect, it } from 'vitest';
import type { CheckRound, ListRead } from '../../../src-shared/ipc/orders.ts';
import { matchText, roundText } from './messages.ts';

const reads: ListRead[] = [
  { list: 'open-orders', outcome: 'complete', rows: 3 },
  { list: 'order-history', outcome: 'incomplete', rows: 1_000 },
];
const textOf = (
  verdict: CheckRound['verdict'],
  count: number,
  of: readonly ListRead[] = reads,
  isClockUncertain = false,
): string =>
  roundText(
    {
      round: 2,
      at: 0,
      since: 0,
      reads: of,
      verdict,
      candidates: Array.from({ length: count }, () => ({})) as never,
      hints: [],
      nextAt: null,
    },
    isClockUncertain,
  );

describe('the text of a round', () => {
  it.each([
    ['matched', 1, 'Match.'],
    ['ambiguous', 1, 'One order matches several requests.'],
    ['ambiguous', 2, '2 orders match.'],
    ['absent', 0, 'No match.'],
    ['undecided', 0, 'No conclusion.'],
    ['undecided', 1, 'One order or more may match; not everything could be read yet.'],
  ] as const)('says what was read and concluded: %s of %i', (verdict, count, end) => {
    const read = 'Open orders, 3 read; order history, more than could be read';
    expect(textOf(verdict, count)).toBe(`Round 2: ${read}. ${end}`);
  });

  it.each<[Partial<ListRead>, string]>([
    [{ outcome: 'failed' }, 'Open orders could not be read'],
    [{ outcome: 'incomplete', unreadable: 1 }, 'Open orders, 3 read and 1 record that cannot be read'],
    [{ outcome: 'incomplete', unreadable: 2 }, 'Open orders, 3 read and 2 records that cannot be read'],
    // Of a list that is complete or failed, nothing was missed that could be counted.
    [{ outcome: 'complete', unreadable: 2 }, 'Open orders, 3 read'],
  ])('names what could not be read: %o', (change, text) => {
    expect(textOf('absent', 0, [{ ...reads[0]!, ...change }])).toBe(`Round 2: ${text}. No match.`);
  });
});

it('absence by an uncertain clock is said to prove nothing', () => {
  expect(textOf('undecided', 0, [reads[0]!], true)).toBe(
    'Round 2: Open orders, 3 read. No match, which proves nothing: the exchange’s clock is not known for certain. Look for it in both lists yourself.',
  );
});

it('a match is never called confirmed', () => {
  const found = { orderId: '7', list: 'order-history' } as never;
  expect(matchText(found, 1)).toBe('Found as order 7 in order history: the only match');
  expect(matchText(found, 2)).toBe('Found as order 7 in order history: 2 orders match 2 identical requests');
});
