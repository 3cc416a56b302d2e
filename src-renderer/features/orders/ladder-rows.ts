/**
 * The rows of the price ladder: levels of resting orders, with lines for mark, entry, liquidation and the target price.
 */
import { compareText } from '../../../src-shared/amount.ts';
import { isPrice } from '../../../src-shared/exchange-api/values.ts';
import { isLongOrShort } from '../../../src-shared/exchange-api/enums.ts';
import {
  fillsOnTheWay,
  type LadderLevel,
  type RestingLadder,
} from '../../../src-shared/domain/risk/resting-ladder.ts';
import type { Position } from '../../../src-shared/exchange-api/account.ts';

export interface LadderLine {
  readonly kind: 'mark' | 'entry' | 'liquidation' | 'target';
  readonly price: string;
  readonly label: string;
}
export type LadderRow =
  | { readonly line: LadderLine; readonly level?: never }
  | { readonly level: LadderLevel; readonly fills: boolean; readonly line?: never };

const SIDES: Readonly<Record<string, string>> = { BUY: 'long', SELL: 'short' };

/** Returns the lines of a contract's positions; a price that could not be read has none. */
function linesOf(positions: readonly Position[], mark: string | null): LadderLine[] {
  const lines: LadderLine[] = mark === null ? [] : [{ kind: 'mark', price: mark, label: 'Mark' }];
  for (const { side, avgEntryPrice, liquidPrice } of positions) {
    if (!isLongOrShort(side)) continue;
    if (isPrice(avgEntryPrice))
      lines.push({ kind: 'entry', price: avgEntryPrice, label: `Entry, ${SIDES[side]}` });
    if (isPrice(liquidPrice))
      lines.push({ kind: 'liquidation', price: liquidPrice, label: `Liquidation, ${SIDES[side]}` });
  }
  return lines;
}

/** Returns rows from the highest price to the lowest; at the same price a line comes before its level. */
export function ladderRows(
  { symbolId, mark, levels }: RestingLadder,
  positions: readonly Position[],
  target: string | null,
): readonly LadderRow[] {
  const lines = linesOf(
    positions.filter((one) => one.symbolId === symbolId),
    mark,
  );
  if (target !== null) lines.push({ kind: 'target', price: target, label: 'If it reaches' });
  const rows: LadderRow[] = [
    ...lines.map((line) => ({ line })),
    ...levels.map((level) => ({ level, fills: target !== null && fillsOnTheWay(level, mark, target) })),
  ];
  const priceOf = (row: LadderRow): string => (row.line ?? row.level).price;
  return rows.sort((a, b) => compareText(priceOf(b), priceOf(a)));
}
