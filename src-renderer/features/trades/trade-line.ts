/** The texts of a trade's row, prepared once, so that a scrolled frame only puts them in place. */
import type { SystemCloseKind } from '../../../src-shared/domain/history/system-close.ts';
import { type Trade, tradeFields } from '../../../src-shared/exchange-api/trade.ts';
import { calculated, isZero } from '../../../src-shared/amount.ts';
import { HIDDEN } from '../../../src-shared/domain/display/privacy-mask.ts';
import { amountTitle, numberText } from '../../text/number-text.ts';
import type { CoinDecimals } from '../../text/shown-as.svelte.ts';
import { momentTitle, timeText } from '../../text/time-text.ts';
import { unreadText, plainText } from '../../text/shown-text.ts';
import type { ScaledColumn, TradeScales } from '../../state/trades/column-precision.ts';

/** A number in pieces with at most two group marks; a longer number has its other marks in `head`. */
export interface LineNumber {
  readonly head: string;
  readonly markA: string;
  readonly middle: string;
  readonly markB: string;
  readonly rest: string;
  /** Decimals that are not shown; '' if there are none. */
  readonly cut: string;
  readonly zero: boolean;
}
type Plain = 'symbol' | 'side' | 'feeAsset' | 'liquidity' | 'orderId' | 'tradeId';
export interface TradeLine extends Readonly<Record<ScaledColumn, LineNumber>>, Pick<Trade, Plain> {
  readonly time: string;
  readonly millis: string;
  readonly offset: string;
  /** Text of the liquidity column: a liquidation or delivery if it closed the position, else maker or taker. */
  readonly role: string;
  readonly liquidated: boolean;
}

interface Form {
  readonly scales: TradeScales;
  readonly zone: string;
  /** The mark between groups of three digits. */
  readonly mark: string;
  /** Decimals of a coin's money that are shown: of fees. The traded amounts keep all. */
  readonly cutOf: (coin: string) => CoinDecimals | null;
  /** Whether amounts are hidden; prices never are. */
  readonly hidden: boolean;
  readonly closeOf: (orderId: string) => SystemCloseKind | null;
}

function numberOf(column: ScaledColumn, trade: Trade, { scales, mark, cutOf, hidden }: Form): LineNumber {
  if (hidden && column !== 'price') return { ...NO_NUMBER, rest: HIDDEN, zero: true };
  const received = trade[column];
  if (received === null) {
    const came = trade.received?.[column] ?? '';
    return { ...NO_NUMBER, rest: came === '' ? '—' : plainText(unreadText(came)), zero: true };
  }
  const zero = isZero(calculated(received));
  const isGrey = zero && column !== 'price';
  const cut = column === 'fee' ? cutOf(trade.feeAsset) : null;
  const { sign, groups, fraction, rest } = isGrey
    ? numberText('0')
    : numberText(received, { decimals: scales.decimals(column, trade), cut });
  const last = `${groups.at(-1) ?? ''}${fraction}`;
  const middle = groups.at(-2);
  const first = groups.slice(0, -2);
  return {
    head: first.length === 0 ? sign : `${sign}${first.join(mark)}`,
    markA: first.length === 0 ? '' : mark,
    middle: middle ?? '',
    markB: middle === undefined ? '' : mark,
    rest: last,
    cut: rest,
    zero: isGrey,
  };
}

/** Returns a function that prepares a trade's line, cached as long as the trade exists. */
export function tradeLines(form: Form): (trade: Trade) => TradeLine {
  const known = new WeakMap<Trade, TradeLine>();
  return (trade) => {
    const before = known.get(trade);
    if (before !== undefined) return before;
    const { date, clock, millis } = timeText(trade.tradeTime, form.zone);
    const { symbol, side, feeAsset, liquidity, orderId, tradeId } = trade;
    const close = form.closeOf(orderId);
    const line: TradeLine = {
      price: numberOf('price', trade, form),
      executedQty: numberOf('executedQty', trade, form),
      executedQuoteQty: numberOf('executedQuoteQty', trade, form),
      fee: numberOf('fee', trade, form),
      time: `${date} ${clock}`,
      millis,
      symbol,
      side,
      feeAsset,
      liquidity,
      role: close === null ? liquidity : close.toUpperCase(),
      liquidated: close === 'liquidation',
      offset: trade.received?.['offset'] ?? String(trade.offset ?? '—'),
      orderId,
      tradeId,
    };
    known.set(trade, line);
    return line;
  };
}

/** Returns a cell's title: its full text, or what a click does; '' if neither is needed. */
export function titleOf(field: string, trade: Trade, zone: string): string {
  if (field === 'tradeTime') return momentTitle(trade.tradeTime, zone);
  const came = trade.received?.[field];
  if (came !== undefined) return field === 'price' ? came : (amountTitle(came) ?? '');
  if (field === 'symbol') return trade.symbol;
  if (field === 'price') return trade.price ?? '';
  if (field === 'executedQty' || field === 'executedQuoteQty' || field === 'fee')
    return amountTitle(trade[field] ?? undefined) ?? '';
  if (field === 'liquidity') return trade.liquidity;
  if (field === 'offset') return tradeFields.offset.meaning;
  if (field === 'orderId') return `${trade.orderId}: copy order ID`;
  if (field === 'tradeId') return `${trade.tradeId}: copy trade ID`;
  return '';
}

const NO_NUMBER: LineNumber = { head: '', markA: '', middle: '', markB: '', rest: '', cut: '', zero: false };
/** Placeholder for a row that is not loaded yet. */
export const NO_LINE: TradeLine = {
  price: NO_NUMBER,
  executedQty: NO_NUMBER,
  executedQuoteQty: NO_NUMBER,
  fee: NO_NUMBER,
  time: '',
  millis: '',
  symbol: '',
  side: '',
  feeAsset: '',
  liquidity: '',
  role: '',
  liquidated: false,
  offset: '',
  orderId: '',
  tradeId: '',
};
