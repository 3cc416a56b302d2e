/** History orders for tests, made by number. */
import type { DatabaseSync } from 'node:sqlite';
import type { ArchiveCheck } from '../../src-shared/ipc/archive.ts';
import type { HistoryOrder } from '../../src-shared/exchange-api/order-history.ts';
import { checkArchive } from '../../src-main/archive/maintenance/integrity.ts';
import { openHere, START } from './trades.ts';
import { pastOrder } from '../domain/order-samples.ts';

/** Above 2^53, as the exchange's are. */
const FIRST_ID = 9_007_199_254_740_993n;

export function orderNumber(n: number, change: Partial<HistoryOrder> = {}): HistoryOrder {
  const inverse = n % 3 === 2;
  const coin = inverse ? 'BTC' : 'USDT';
  return pastOrder({
    orderTime: START + n * 1_000,
    mtime: START + n * 1_000 + 500,
    symbolId: ['BTC-USDT-M', 'ETH-USDT-M', 'BTC-USD-M'][n % 3]!,
    side: n % 2 === 0 ? 'BUY' : 'SELL',
    type: 'LIMIT',
    timeInForce: 'GTC',
    price: `${60_000 + (n % 100)}.50`,
    avgPrice: `${60_000 + (n % 100)}.50`,
    totalQuantity: '0.010',
    tradeQuantity: '0.010',
    quantity: '0.000',
    cancelQuantity: '0.000',
    totalAmount: '600.00',
    tradeAmount: '600.00',
    amount: '0.00',
    cancelAmount: '0.00',
    cancelReason: 1,
    profit: n % 2 === 0 ? '0' : `${n % 4 === 1 ? '' : '-'}${(n % 7) + 1}.25`,
    feeAmount: '0.036',
    feeAssetId: coin,
    feeRateTaker: '0.0006',
    leverage: 10,
    locked: '60.00',
    releasedLock: '60.00',
    lockAssetId: coin,
    reduceOnly: n % 2,
    positionId: String(FIRST_ID + BigInt(1_000_000 + Math.floor(n / 2))),
    id: String(FIRST_ID + BigInt(n)),
    ...change,
  });
}
export const orders = (from: number, to: number): HistoryOrder[] =>
  Array.from({ length: to - from }, (_, index) => orderNumber(from + index));

/** An archive in this thread and in memory, with its writer of orders. */
export function openRecords() {
  const { db, strings, orders: writer, equity, stats, close } = openHere();
  return { db, strings, writer, equity, stats, close };
}

export function checkedAtOnce(db: DatabaseSync): ArchiveCheck {
  const steps = checkArchive(db);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
