/**
 * Replies of a large account, made from the exchange API's samples: hundreds of contracts, positions and orders,
 * with very long and very small numbers. The same seed gives the same bytes.
 */
import type { ReadEndpoint } from '../src-shared/exchange-api/endpoints.ts';

type Json = Record<string, unknown>;
type Reply = (endpoint: ReadEndpoint) => string;

export interface AccountSize {
  readonly contracts: number;
  readonly positions: number;
  readonly orders: number;
}

const NAMES = ['BTC', 'ETH', 'SOL', 'DOGE', '1000000MOGWAI', 'W', 'PEPE', 'AVAX'];
const symbolOf = (index: number): string =>
  `${NAMES[index % NAMES.length] ?? 'X'}${index < NAMES.length ? '' : String(index)}-USDT-M`;

/** Prints units of 10^-scale as plain decimal text. */
function decimal(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return `${units < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${digits.slice(-scale)}`}`;
}

/** A small generator (mulberry32): integers of 0 … below `most`. */
function dice(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
}

const listOf = (text: string): Json[] => (JSON.parse(text) as { data: Json[] }).data;
const answer = (data: unknown): string => JSON.stringify({ code: '0', msg: 'success', success: true, data });

/** Decimals of a contract's price: 0 to 10, so that columns of one table differ as much as possible. */
const priceScale = (index: number): number => (index === 4 ? 10 : index % 6);

function position(sample: Json, index: number, step: number): Json {
  const roll = dice(index + 1);
  const scale = priceScale(index);
  const quantityScale = index % 4;
  const entry = BigInt(1 + roll(99_999)) * (index === 7 ? 10_000_000_000n : 1n);
  const quantity = BigInt(1 + roll(99_999));
  const long = roll(2) === 0;
  // Within 5 % of the entry; every step moves it by up to 0.1 %, and by at least a tick.
  const mark =
    (entry * BigInt(95_000 + roll(10_000) + dice(index * 7919 + step)(100))) / 100_000n +
    1n +
    BigInt(step % 2);
  const leverage = 1 + roll(125);
  const value = entry * quantity;
  const profit = (long ? mark - entry : entry - mark) * quantity;
  const margin = value / BigInt(leverage) + 1n;
  const money = (units: bigint): string => decimal(units, scale + quantityScale);
  return {
    ...sample,
    positionId: String(3_190_552_904_774_451_000n + BigInt(index)),
    symbolId: symbolOf(index),
    side: long ? 'BUY' : 'SELL',
    quantity: decimal(quantity, quantityScale),
    avgEntryPrice: decimal(entry, scale),
    markPrice: decimal(mark, scale),
    lastPrice: decimal(mark, scale),
    liquidPrice: roll(9) === 0 ? '0' : decimal(long ? entry / 2n : entry * 2n, scale),
    entryValue: money(value),
    margin: money(margin),
    maintainMargin: money(value / 200n),
    leverage,
    marginMode: roll(3) === 0 ? 'ISOLATED' : 'CROSSED',
    profitUnreal: money(profit),
    profitUnrealRate: decimal((profit * 100_000_000n) / margin, 8),
    realizedPnl: decimal(BigInt(roll(2_000_000)) - 1_000_000n, 8),
    tpSlSize: roll(3),
  };
}

/** The account at a step: each step is one poll later, with every mark and every profit changed. */
export function largeAccount(reply: Reply, size: AccountSize, step = 0): string {
  const { data } = JSON.parse(reply('account')) as { data: Json & { positions: Json[] } };
  const sample = data.positions[0] ?? {};
  const positions = Array.from({ length: size.positions }, (_, index) => position(sample, index, step));
  return answer({ ...data, positions });
}

export function largeOrders(reply: Reply, size: AccountSize): string {
  const sample = listOf(reply('openOrders'))[0] ?? {};
  return answer(
    Array.from({ length: size.orders }, (_, index) => {
      const roll = dice(index + 10_007);
      const contract = index % size.contracts;
      const scale = priceScale(contract);
      const price = BigInt(1 + roll(99_999));
      const quantity = BigInt(1 + roll(99_999));
      return {
        ...sample,
        orderId: String(1_790_448_213_507_215_000n + BigInt(index)),
        symbolId: symbolOf(contract),
        side: roll(2) === 0 ? 'BUY' : 'SELL',
        price: decimal(price, scale),
        quantity: decimal(quantity, contract % 4),
        totalQuantity: decimal(quantity, contract % 4),
        totalAmount: decimal(price * quantity, scale + (contract % 4)),
        reduceOnly: roll(4) === 0,
      };
    }),
  );
}

export function largeContracts(reply: Reply, size: AccountSize): string {
  const sample = listOf(reply('symbolConfig'))[0] ?? {};
  return answer(
    Array.from({ length: size.contracts }, (_, index) => ({ ...sample, symbolId: symbolOf(index) })),
  );
}

/** An account without positions, resting orders or past. */
export function emptyAccount(
  reply: Reply,
): Readonly<Record<'account' | 'openOrders' | 'orderHistory', string>> {
  const { data } = JSON.parse(reply('account')) as { data: Json };
  return {
    account: answer({ ...data, positions: [] }),
    openOrders: answer([]),
    orderHistory: answer([]),
  };
}
