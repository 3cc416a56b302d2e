/** Makes a simple trade by its number. Separate from the generators, whose tables would add to measurements. */
import type { Trade } from '../../src-shared/exchange-api/trade.ts';

export const START = Date.UTC(2026, 9, 25);
/** Above 2^53, as the exchange's are. */
const FIRST_ID = 9_007_199_254_740_993n;

export function tradeNumber(n: number, change: Partial<Trade> = {}): Trade {
  return {
    tradeTime: START + n * 1_000,
    symbol: ['BTC-USDT-M', 'ETH-USDT-M', 'BTC-USD-M'][n % 3]!,
    side: n % 2 === 0 ? 'BUY' : 'SELL',
    price: `${60_000 + (n % 100)}.50`,
    executedQty: `0.00${(n % 9) + 1}0`,
    executedQuoteQty: `60.${100 + (n % 900)}`,
    fee: `0.0${1_000 + (n % 9_000)}`,
    feeAsset: n % 3 === 2 ? 'BTC' : 'USDT',
    liquidity: n % 4 === 0 ? 'MAKER' : 'TAKER',
    offset: 0,
    orderId: String(FIRST_ID + BigInt(Math.floor(n / 2))),
    tradeId: String(FIRST_ID + BigInt(n)),
    ...change,
  };
}
export const trades = (from: number, to: number): Trade[] =>
  Array.from({ length: to - from }, (_, index) => tradeNumber(from + index));
