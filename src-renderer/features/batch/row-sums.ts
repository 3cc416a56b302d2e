/** Sums up the rows of a batch for its confirmation, by contract and side. */
import { add, amount, greater, less, print } from '../../../src-shared/amount.ts';
import type { SendRow } from '../../state/batch/draft.svelte.ts';
import { plainNumber } from '../../text/number-text.ts';
import { distanceFrom } from '../../text/reference-text.ts';
import { ordersText } from './row-text.ts';

export interface RowSum {
  readonly symbolId: string;
  readonly side: 'BUY' | 'SELL';
  /** `8 orders · 0.8 ETH`. */
  readonly size: string;
  /** `3,000.00 – 3,150.00`, or `at market`. */
  readonly prices: string;
  /** Of each end: `−6.11% from mark`. */
  readonly distances: readonly string[];
}

export function rowSums(rows: readonly SendRow[]): RowSum[] {
  const groups = new Map<string, SendRow[]>();
  for (const row of rows) {
    const { symbolId, side } = row.judged.request;
    const key = `${symbolId} ${side}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].flatMap((group) => (group[0] === undefined ? [] : [sumOf(group[0], group)]));
}

function sumOf({ judged: { request, unit, reference } }: SendRow, group: readonly SendRow[]): RowSum {
  const quantity = group.reduce(
    (total, { judged }) => add(total, amount(judged.request.quantity ?? '0')),
    amount('0'),
  );
  const prices = group.flatMap(({ judged }) => judged.request.price ?? []);
  const lowest = prices.reduce((low, one) => (less(amount(one), amount(low)) ? one : low), prices[0] ?? '');
  const highest = prices.reduce(
    (high, one) => (greater(amount(one), amount(high)) ? one : high),
    prices[0] ?? '',
  );
  const ends = [...new Set([lowest, highest])].filter((one) => one !== '');
  const market = prices.length < group.length ? ['at market'] : [];
  return {
    symbolId: request.symbolId,
    side: request.side,
    size: `${ordersText(group.length)} · ${plainNumber(print(quantity))} ${unit}`.trim(),
    prices: [...(ends.length === 0 ? [] : [ends.map((one) => plainNumber(one)).join(' – ')]), ...market].join(
      ', ',
    ),
    distances: ends.map((one) => distanceFrom(one, reference)).filter((one) => one !== null),
  };
}
