/** Sums up the rows of a batch for its confirmation, by contract and side. */
import { amount, compare, print, sum } from '../../../src-shared/amount.ts';
import type { SendRow } from '../../state/batch/draft.svelte.ts';
import { counted, plainNumber } from '../../text/number-text.ts';
import { distanceFrom } from '../../text/reference-text.ts';
import type { OrderSide } from '../../../src-shared/exchange-api/enums.ts';

export interface RowSum {
  readonly symbolId: string;
  readonly side: OrderSide;
  /** `8 orders · 0.8 ETH`. */
  readonly size: string;
  /** `3,000.00 – 3,150.00`, or `at market`. */
  readonly prices: string;
  /** Of each end: `−6.11% to −1.42% from mark`; empty if no price is known. */
  readonly distance: string;
  /** `TP 3,300.00, SL 2,800.00 – 2,900.00 of 6 orders`; empty if no row has any. */
  readonly triggers: string;
}

export function rowSums(rows: readonly SendRow[]): RowSum[] {
  const groups = Map.groupBy(rows, ({ checked: { request } }) => `${request.symbolId} ${request.side}`);
  return [...groups.values()].flatMap((group) => (group[0] === undefined ? [] : [sumOf(group[0], group)]));
}

function sumOf({ checked: { request, unit, reference } }: SendRow, group: readonly SendRow[]): RowSum {
  const quantity = sum(group.map(({ checked }) => amount(checked.request.quantity ?? '0')));
  const prices = group.flatMap(({ checked }) => checked.request.price ?? []);
  const ends = endsOf(prices);
  const distances = ends.map((one) => distanceFrom(one, reference)).filter((one) => one !== null);
  const shown = [
    ...(ends.length === 0 ? [] : [rangeText(ends)]),
    ...(prices.length < group.length ? ['at market'] : []),
  ];
  return {
    symbolId: request.symbolId,
    side: request.side,
    size: `${counted(group.length, 'order')} · ${plainNumber(print(quantity))} ${unit}`.trim(),
    prices: shown.join(', '),
    distance: `${distances.map(({ percent }) => percent).join(' to ')} ${distances[0]?.from ?? ''}`.trim(),
    triggers: triggersText(group),
  };
}

/** Returns the lowest and the highest price; one if they are equal. */
function endsOf(prices: readonly string[]): readonly string[] {
  const sorted = prices.toSorted((a, b) => compare(amount(a), amount(b)));
  return [...new Set([...sorted.slice(0, 1), ...sorted.slice(-1)])];
}
const rangeText = (ends: readonly string[]): string => ends.map((one) => plainNumber(one)).join(' – ');

const triggersText = (group: readonly SendRow[]): string =>
  (['tp', 'sl'] as const)
    .flatMap((name) => {
      const prices = group.flatMap(({ checked }) => checked.request.tpSl?.[`${name}Price`] ?? []);
      if (prices.length === 0) return [];
      const of = prices.length < group.length ? ` of ${counted(prices.length, 'order')}` : '';
      return [`${name.toUpperCase()} ${rangeText(endsOf(prices))}${of}`];
    })
    .join(', ');
