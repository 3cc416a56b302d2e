/** Compares what a soak left on disk with the exchange's state. */
import type { IntentRecord } from '../../src-shared/ipc/orders.ts';
import type { HistoryOrder } from '../../src-shared/exchange-api/order-history.ts';
import { openDatabase } from '../../src-main/archive/sqlite/database.ts';
import { idText } from '../../src-main/archive/sqlite/ids.ts';
import type { ExchangeClient } from '../../src-main/exchange/client.ts';
import { PRACTICE_ID } from '../../src-main/session/stored.ts';

const HOUR = 3_600_000;

/** Every order of the account, read in windows small enough for a list. */
export async function allOrders(client: ExchangeClient, from: number, to: number): Promise<HistoryOrder[]> {
  const found = new Map<string, HistoryOrder>();
  for (let at = from; at < to; at += 6 * HOUR) {
    const result = await client.orderHistory({ startTime: at, endTime: at + 6 * HOUR - 1, limit: 1_000 });
    if (!result.ok || result.data.length >= 1_000)
      throw new Error('the exchange’s orders could not be read completely');
    for (const one of result.data) found.set(one.id, one);
  }
  return [...found.values()];
}

/** Ids in the archive's file, which has to be closed. */
export function archived(
  file: string,
  now: number,
): { readonly trades: string[]; readonly orders: string[] } {
  const { db } = openDatabase(file, PRACTICE_ID, now);
  const column = (sql: string): string[] =>
    db
      .prepare(sql)
      .all()
      .map((row) => String(row['id']));
  const trades = column(`SELECT ${idText('trade_id')} AS id FROM trade`);
  const orders = column(`SELECT ${idText('id')} AS id FROM history_order`);
  db.close();
  return { trades, orders };
}

export interface Compared {
  readonly missing: number;
  readonly doubled: number;
}
export function compared(kept: readonly string[], real: readonly string[]): Compared {
  const [inArchive, atExchange] = [new Set(kept), new Set(real)];
  return {
    missing: [...atExchange].filter((id) => !inArchive.has(id)).length,
    doubled: kept.length - inArchive.size + [...inArchive].filter((id) => !atExchange.has(id)).length,
  };
}

/**
 * Intents whose state is wrong. A limit order has a unique price, so its order is known; for market orders each id
 * must exist, once.
 */
export function falseVerdicts(records: readonly IntentRecord[], orders: readonly HistoryOrder[]): string[] {
  const byId = new Map(orders.map((one) => [one.id, one]));
  const limits = new Map(
    orders.filter((one) => one.type === 'LIMIT').map((one) => [`${one.symbolId} ${one.price}`, one.id]),
  );
  const claimed = new Set<string>();
  return records.flatMap((one) => {
    const wrong = (why: string): string[] => [`${one.id} is ${one.state}, ${why}: ${one.body}`];
    if (one.orderId !== null) {
      if (claimed.has(one.orderId)) return wrong('of an order that another has');
      claimed.add(one.orderId);
      if (byId.get(one.orderId)?.symbolId !== one.symbolId) return wrong('of an order that is not there');
    }
    if (one.type === 'MARKET') return [];
    const price = /"price":([\d.]+)/.exec(one.body)?.[1] ?? '';
    const real = limits.get(`${one.symbolId} ${price}`) ?? null;
    return real === one.orderId ? [] : wrong(`its order is ${real ?? 'none'}`);
  });
}
