/** Places the prices of a position on one line, from its liquidation to its take profit. */
import {
  amount,
  type Amount,
  divide,
  equal,
  less,
  negate,
  subtract,
  toPixels,
} from '../../../src-shared/amount.ts';
import { isLongOrShort } from '../../../src-shared/exchange-api/enums.ts';
import type { Position } from '../../../src-shared/exchange-api/account.ts';
import { hasLiquidation, markOf } from '../../../src-shared/domain/position/metrics.ts';
import { firstTrigger, protectionOf } from '../../../src-shared/domain/position/protection.ts';

export type PointKind = 'liquidation' | 'sl' | 'entry' | 'mark' | 'tp';
export interface LinePoint {
  readonly kind: PointKind;
  readonly price: string;
  /** 0 to 1 along the line. */
  readonly at: number;
}

/** Returns the prices from the worst for the position to the best; empty if fewer than two differ. */
export function riskLine(position: Position): readonly LinePoint[] {
  const { side, avgEntryPrice, liquidPrice } = position;
  if (!isLongOrShort(side)) return [];
  const protection = protectionOf(position);
  const prices: readonly (readonly [PointKind, string | null])[] = [
    ['liquidation', hasLiquidation(position) === true ? liquidPrice : null],
    ['sl', firstTrigger(position, protection, 'SL')],
    ['entry', avgEntryPrice],
    ['mark', markOf(position)],
    ['tp', firstTrigger(position, protection, 'TP')],
  ];
  const known = prices.flatMap(([kind, price]) => {
    if (price === null) return [];
    const exact = amount(price);
    return [{ kind, price, value: side === 'BUY' ? exact : negate(exact) }];
  });
  const sorted = known.sort((a, b) => (less(a.value, b.value) ? -1 : less(b.value, a.value) ? 1 : 0));
  const [first, last] = [sorted[0]?.value, sorted.at(-1)?.value];
  if (first === undefined || last === undefined || equal(first, last)) return [];
  const share = (value: Amount): number => toPixels(divide(subtract(value, first), subtract(last, first)));
  return sorted.map(({ kind, price, value }) => ({ kind, price, at: share(value) }));
}

interface Label {
  /** px from the line's start. */
  readonly at: number;
  readonly width: number;
}

/** Between two labels, px. */
const GAP = 8;
/**
 * Returns the left edges of labels centred at their points, moved only as far as needed so that none covers another.
 */
export function nudged(labels: readonly Label[], width: number): number[] {
  const lefts: number[] = [];
  let free = 0;
  for (const { at, width: own } of labels) {
    const left = Math.max(free, at - own / 2);
    lefts.push(left);
    free = left + own + GAP;
  }
  let end = width;
  for (let index = labels.length - 1; index >= 0; index--) {
    lefts[index] = Math.min(lefts[index]!, end - labels[index]!.width);
    end = lefts[index]! - GAP;
  }
  return lefts;
}
