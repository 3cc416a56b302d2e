/** Words and the CSV of the positions at a shock: the file has what the table shows. */
import { calculated, multiply, amount, printFixed } from '../../../src-shared/amount.ts';
import { marginModeWord } from '../../../src-shared/exchange-api/enums.ts';
import { liquidationDistance } from '../../../src-shared/domain/position/metrics.ts';
import { csvCell } from '../../../src-shared/domain/history/csv-cell.ts';
import { roundedMoney, roundedPrice } from '../../text/estimate-text.ts';
import { sideText } from '../../text/shown-text.ts';
import type { ShockRow } from './shock-rows.ts';

const ORDINALS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
];
export const ordinal = (order: number): string => ORDINALS[order - 1] ?? `as no. ${order}`;

/** A share as percent to two decimals, in plain digits. */
export const percent = (share: string): string =>
  printFixed(multiply(calculated(share), amount('100')), 2, 'half-up');

/** Decimals of money: quote coins in cents, others in 1e-8. */
export const digitsOf = (coin: string): number => (/^USD/.test(coin) ? 2 : 8);

const HEAD = [
  'contract',
  'side',
  'mode',
  'size',
  'mark',
  'movePercent',
  'priceAtShock',
  'liquidation',
  'fromMarkPercent',
  'pnlAtShock',
  'coin',
  'result',
  'order',
];

export function shockCsv(
  rows: readonly ShockRow[],
  coin: string,
  decimalsOf: (symbolId: string) => number | null,
): string {
  const digits = digitsOf(coin);
  const cells = rows.map((row): readonly string[] => {
    if (row.kind === 'group') {
      const { pnl, move, count } = row;
      return [
        `${row.coin} (${count} positions)`,
        '',
        '',
        '',
        '',
        percent(move),
        '',
        '',
        '',
        roundedMoney(pnl, digits),
        coin,
        '',
        '',
      ];
    }
    const { position } = row.one;
    const what = [
      position.symbolId,
      sideText(position.side, 'position').pieces[0],
      marginModeWord(position.marginMode),
      position.quantity ?? '',
    ];
    if (row.kind === 'left')
      return [
        ...what,
        position.markPrice ?? '',
        '',
        '',
        position.liquidPrice ?? '',
        '',
        '',
        coin,
        `Not valued: ${row.one.reason}`,
        '',
      ];
    const { move, price, pnl, liquidation } = row.one;
    return [
      ...what,
      position.markPrice ?? '',
      percent(move),
      roundedPrice(price, decimalsOf(position.symbolId)),
      position.liquidPrice ?? '',
      liquidationDistance(position) === null ? '' : percent(liquidationDistance(position) ?? '0'),
      roundedMoney(pnl, digits),
      coin,
      liquidation === null
        ? 'Survives'
        : `Liquidated ${ordinal(liquidation.order)} at ${percent(liquidation.move)}%`,
      liquidation === null ? '' : String(liquidation.order),
    ];
  });
  return [HEAD, ...cells].map((line) => `${line.map((cell) => csvCell(cell, ',')).join(',')}\r\n`).join('');
}
