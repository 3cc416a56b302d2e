/** Texts of a group of trades. */
import {
  amount,
  type Amount,
  calculated,
  decimalsOf,
  divide,
  greater,
  multiply,
  print,
  printFixed,
  round,
  subtract,
} from '../../../src-shared/amount.ts';
import { roundedPrice } from '../../text/estimate-text.ts';
import { amountTitle, counted } from '../../text/number-text.ts';
import type { AppState } from '../../state/app/app-state.svelte.ts';
import { feeEffect } from '../../text/fee-text.ts';
import type { GroupProfit, OrderGroup } from '../../../src-shared/ipc/trade-groups.ts';
import type { TripFlag } from '../../../src-shared/domain/history/round-trips.ts';
import type { AssetAmount } from '../../../src-shared/domain/history/trade-stats.ts';
import { averagePriceOf } from '../../../src-shared/domain/numeric/quotient.ts';

export const GAP_TITLE =
  'The archive is not verified to hold every trade of this time: quantities, fees and PnL may be incomplete.';
/** Title for an order with trades that are not in the sums. */
export const LEFT_OUT_TITLE =
  'A quantity or fee of these trades is missing or cannot be read: it is not in the sums.';
export const HEDGE_TITLE =
  'Its orders are in hedge mode. Trades do not show which leg they belong to, so this round trip may mix both.';

/** Explains why a profit is unknown, or what it is based on. */
export function profitText(profit: GroupProfit, shared: boolean, open: boolean): string {
  if (profit.orders === 0) return open ? 'none yet' : 'none closed';
  if (profit.missing > 0) return 'not known: order history not archived';
  if (profit.unsettled > 0) return 'not final yet';
  if (profit.unread > 0)
    return profit.unread === 1
      ? 'not known: an order’s closed PnL cannot be read'
      : `not known: the closed PnL of ${profit.unread} orders cannot be read`;
  if (shared) return 'not known: an order closed parts of two round trips';
  if (profit.value === null) return 'not known';
  return `from the order history, ${counted(profit.orders, 'order')}${open ? ', so far' : ''}`;
}

/** Returns closed PnL − fees in the same coin; null if one of them is unknown. No record includes funding. */
export function netOf(
  { profit, fees }: Pick<OrderGroup, 'profit' | 'fees'>,
  coin: string | undefined,
): string | null {
  if (profit.value === null || coin === undefined) return null;
  const fee = fees.find(({ asset }) => asset === coin)?.amount ?? '0';
  return print(subtract(calculated(profit.value), calculated(feeShown(fee))));
}
/** Explains how a row's figures add up, as a title; none while amounts are hidden. */
export function sumTitle(
  group: Pick<OrderGroup, 'profit' | 'fees'>,
  coin: string | undefined,
): string | undefined {
  const net = netOf(group, coin);
  if (net === null) return undefined;
  const fee = feeShown(group.fees.find(({ asset }) => asset === coin)?.amount ?? '0');
  return amountTitle(
    `closed PnL ${group.profit.value ?? ''}, fees ${feeEffect(fee)}: net ${net} ${coin ?? ''}, without funding`,
  );
}

/** Returns all fees digit for digit, as a title; none while amounts are hidden. */
export const feesTitle = (fees: readonly AssetAmount[]): string | undefined =>
  amountTitle(fees.map(({ amount: fee, asset }) => `${feeEffect(fee)} ${asset}`).join(', '));

/** Returns a round trip's tag and its explanation. `complete`: the archive is verified to hold every trade. */
export function flagText(
  flag: TripFlag,
  complete: boolean,
): { readonly short: string; readonly long: string } | null {
  switch (flag) {
    case 'first-stored':
      return complete
        ? null
        : {
            short: 'PARTIAL?',
            long: 'It starts with the first stored trade of the contract. Earlier trades may be missing, so the position may have started earlier.',
          };
    case 'open':
      return { short: 'OPEN', long: 'The position was still open after the last stored trade.' };
    case 'turned-over':
      return {
        short: 'REVERSED',
        long: 'A trade closed this position and opened the opposite one. Its quantity, quote quantity and fee are split between both round trips.',
      };
    case 'unknown-side':
      return {
        short: 'SIDE?',
        long: 'A trade with an unknown side is counted, but not included in the position.',
      };
    case 'unread':
      return {
        short: 'NOT IN SUMS',
        long: 'A quantity or fee of its trades is missing or cannot be read: it is not in the sums, and the round trip may have started or ended elsewhere.',
      };
    case 'shared-order':
      return {
        short: 'SHARED',
        long: 'An order closed parts of two round trips, so its closed PnL cannot be assigned to either.',
      };
  }
}

/** More decimals than an exchange charges: such a fee is the share of a trade split between two round trips. */
const SHARED_DECIMALS = 12;
/** Shortens a split fee for display; the title has all of it. */
export const feeShown = (fee: string): string =>
  decimalsOf(fee) > SHARED_DECIMALS ? print(round(calculated(fee), 8, 'half-up')) : fee;

/** Unit of a base quantity that an exchange computes from the quote quantity, as it does for inverse contracts. */
const BASE_UNIT = amount('0.00000001');
const MOST_DECIMALS = 10;
const powerOfTen = (exponent: number): Amount =>
  amount(exponent < 0 ? `0.${'0'.repeat(-exponent - 1)}1` : `1${'0'.repeat(exponent)}`);

/**
 * Prints an average price with `decimals`, without the digits that the rounding of base quantities leaves open.
 * @param qty what the price was divided by
 * @param rounded number of trades in it whose base quantity was rounded
 */
export function averageText(price: string, qty: string, decimals: number | null, rounded: number): string {
  if (rounded === 0) return roundedPrice(price, decimals);
  const exact = calculated(price);
  const off = divide(multiply(exact, multiply(BASE_UNIT, amount(String(2 * rounded)))), calculated(qty));
  let digits = decimals ?? MOST_DECIMALS;
  while (digits > -MOST_DECIMALS && greater(off, powerOfTen(-digits))) digits -= 1;
  return digits > 0 ? printFixed(exact, digits) : print(round(exact, digits, 'half-up'));
}
/** Returns the average price of a part of a group; base quantities of inverse contracts were rounded. */
export const groupPrice = (
  { specs, tradeLog }: Pick<AppState, 'specs' | 'tradeLog'>,
  { symbol, trades }: { readonly symbol: string; readonly trades: number },
  quote: string,
  qty: string,
): string | null =>
  averagePrice(
    quote,
    qty,
    specs.of(symbol).priceDecimals,
    tradeLog.groups.contractOf(symbol)?.inverse === true ? trades : 0,
  );
/** Returns quote ÷ quantity as a price, printed as by `averageText`; null without a quantity. */
export function averagePrice(
  quote: string,
  qty: string,
  decimals: number | null,
  rounded = 0,
): string | null {
  const price = averagePriceOf(quote, qty);
  return price === null ? null : averageText(price, qty, decimals, rounded);
}
