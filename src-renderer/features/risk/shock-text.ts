/** Texts and CSV of the positions at a price shock: the file has what the table shows. */
import { calculated, multiply, amount, printFixed } from '../../../src-shared/amount.ts';
import { printDistance } from '../../../src-shared/domain/margin/severity.ts';
import { marginModeLabel } from '../../../src-shared/exchange-api/enums.ts';
import { liquidationDistance } from '../../../src-shared/domain/position/metrics.ts';
import { csvLine } from '../../../src-shared/domain/history/csv-cell.ts';
import type { ShockedPosition } from '../../../src-shared/domain/risk/shocked.ts';
import { roundedPrice, moneyIn } from '../../text/estimate-text.ts';
import { counted, countText, plainNumber } from '../../text/number-text.ts';
import { sideText } from '../../text/shown-text.ts';
import type { ShockOrdersFilled } from '../../state/risk/risk-input.svelte.ts';
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
export const ordinal = (order: number): string => ORDINALS[order - 1] ?? `no. ${order}`;

/** A share as percent to two decimals, in plain digits. */
const percent = (share: string): string =>
  printFixed(multiply(calculated(share), amount('100')), 2, 'half-up');
/** The same as it is shown: `+5.00%`. */
export const shownPercent = (share: string, signed = true): string =>
  `${plainNumber(percent(share), { signed })}%`;

/** What becomes of a position that is not liquidated. */
export function resultText({
  position,
  fills,
  isClosed,
}: Pick<ShockedPosition, 'position' | 'fills' | 'isClosed'>): string {
  if (isClosed) return 'Closed by orders';
  const filled = counted(fills, 'fill');
  // A leg of size 0 is one that an order on the way opens.
  if (position.quantity === '0') return `Opened by ${filled}`;
  return fills === 0 ? 'Survives' : `Survives, ${filled}`;
}

/** Says which orders do not fill by the user's choice; empty where none is left out. */
export function leftOutText(
  filled: ShockOrdersFilled,
  { tpSl, resting }: { readonly tpSl: number; readonly resting: number },
): string {
  const stops = filled === 'none' ? tpSl : 0;
  const limits = filled === 'all' ? 0 : resting;
  if (stops + limits === 0) return '';
  const left = [
    ...(stops === 0 ? [] : [`${countText(stops)} TP/SL`]),
    ...(limits === 0 ? [] : [`${countText(limits)} resting`]),
  ];
  return `As if ${left.join(' and ')} ${stops + limits === 1 ? 'order' : 'orders'} did not fill.`;
}

/** Says at which price stops are assumed filled, and that they may fill worse; empty where none is. */
export function stopsText(stops: readonly { readonly orderPrice: string | null }[]): string {
  if (stops.length === 0) return '';
  const limited = stops.filter(({ orderPrice }) => orderPrice !== null).length;
  const price = limited === 0 ? 'trigger' : limited === stops.length ? 'order' : 'trigger or order';
  const assumed = counted(stops.length, 'stop is', 'stops are');
  return `${assumed} assumed filled at ${price} price. A gap or slippage is worse.`;
}

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

type Decimals = (symbolId: string) => number | null;

export function shockCsv(rows: readonly ShockRow[], coin: string, decimalsOf: Decimals): string {
  const cells = rows.map((row) => cellsOf(row, coin, decimalsOf));
  return [HEAD, ...cells].map((line) => csvLine(line)).join('');
}

function cellsOf(row: ShockRow, coin: string, decimalsOf: Decimals): readonly string[] {
  if (row.kind === 'group') {
    const name = `${row.coin} (${row.count} positions)`;
    return [name, '', '', '', '', percent(row.move), '', '', '', moneyIn(row.pnl, coin), coin, '', ''];
  }
  const { position } = row.one;
  const what = [
    position.symbolId,
    sideText(position.side, 'position').pieces[0],
    marginModeLabel(position.marginMode),
    position.quantity ?? '',
    position.markPrice ?? '',
  ];
  if (row.kind === 'not-counted') {
    const why = `Not valued: ${row.one.reason}`;
    return [...what, '', '', position.liquidPrice ?? '', '', '', coin, why, ''];
  }
  const { move, price, pnl, liquidation } = row.one;
  const distance = liquidationDistance(position);
  return [
    ...what,
    percent(move),
    roundedPrice(price, decimalsOf(position.symbolId)),
    position.liquidPrice ?? '',
    distance === null ? '' : printDistance(calculated(distance)),
    moneyIn(pnl, coin),
    coin,
    liquidation === null
      ? resultText(row.one)
      : `Liquidated ${ordinal(liquidation.order)} at ${percent(liquidation.move)}%`,
    liquidation === null ? '' : String(liquidation.order),
  ];
}
