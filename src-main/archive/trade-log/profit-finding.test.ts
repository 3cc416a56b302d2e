import type { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ArchiveCheck } from '../../../src-shared/ipc/archive.ts';
import { NO_FILTER } from '../../../src-shared/ipc/trades.ts';
import type { GroupContract } from '../../../src-shared/ipc/trade-groups.ts';
import type { HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { checkArchive } from '../maintenance/integrity.ts';
import { findProfit, profitChange } from './profit-finding.ts';
import { exportSource } from '../export/source.ts';
import { orderNumber } from '../../../tests/archive/orders.ts';
import {
  FULL_EXPORT,
  NEWEST_GROUP_FIRST,
  openHere,
  START,
  tradeNumber,
} from '../../../tests/archive/trades.ts';
import { DAY_MS } from '../../../src-shared/time.ts';

const CONTRACT: GroupContract = {
  symbol: 'BTC-USDT-M',
  quote: 'USDT',
  margin: 'USDT',
  quantity: 'BTC',
  inverse: false,
};
const ALL = { from: null, to: null, symbol: null };

/** Positions opened for 100 (fee 0.05) and closed for 103.7 (fee 0.052): 3.7 before fees. */
function start(
  profit: string,
  positions = 4,
  change: Partial<HistoryOrder> = {},
  apartMs = 1_000,
  symbol = 'BTC-USDT-M',
) {
  const archive = openHere();
  onTestFinished(() => archive.close());
  const trades: Trade[] = [];
  const orders: HistoryOrder[] = [];
  for (let n = 0; n < positions; n++)
    for (const closes of [false, true]) {
      const at = n * 2 + (closes ? 1 : 0);
      const shared = { side: closes ? 'SELL' : 'BUY' };
      const time = START + at * apartMs;
      trades.push(
        tradeNumber(0, {
          ...shared,
          ...{ tradeTime: time, tradeId: String(at + 1), orderId: String(at + 1), symbol },
          ...{ executedQty: '1', executedQuoteQty: closes ? '103.7' : '100', feeAsset: 'USDT' },
          fee: closes ? '0.052' : '0.05',
        }),
      );
      orders.push(
        orderNumber(0, {
          ...shared,
          ...{ id: String(at + 1), mtime: time, symbolId: 'BTC-USDT-M', reduceOnly: 0 },
          ...{ profit: closes ? profit : '0', feeAmount: closes ? '0.052' : '0.05' },
          ...(closes ? change : {}),
        }),
      );
    }
  archive.writer.insert(trades, null, 0);
  archive.orders.insert(orders, null, [], 0);
  const find = (setting: 'before-fees' | 'after-fees' | null = null) =>
    findProfit(archive, { contracts: [CONTRACT], setting });
  return { ...archive, find };
}
function checked(db: DatabaseSync): ArchiveCheck {
  const steps = checkArchive(db);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}
/** What four positions brought after all their fees: 4 × (3.7 − 0.102). */
const BROUGHT = '14.392';

describe('what the exchange’s profit is', () => {
  it.each([
    ['3.7', 'before-fees', { before: 4, found: 'before-fees' }],
    ['3.648', 'after-fees', { after: 4, found: 'after-fees' }],
    ['3.598', 'after-fees', { afterAll: 4, found: 'after-all-fees' }],
    ['9', 'before-fees', { undecidable: 4, found: null }],
  ])('is found out from closed positions: %s is %s', async (profit, convention, evidence) => {
    expect(await start(profit).find()).toMatchObject({ ...evidence, convention });
  });

  it('is found where trades name their contract as a pair', async () => {
    expect(await start('3.648', 4, {}, 1_000, 'BTCUSDT').find()).toMatchObject({ found: 'after-fees' });
  });

  it('is the setting while it is undecided, and never against what is found', async () => {
    expect(await start('9').find('after-fees')).toMatchObject({ found: null, convention: 'after-fees' });
    expect(await start('3.7').find('after-fees')).toMatchObject({ convention: 'before-fees' });
    expect(await start('3.7', 2).find()).toMatchObject({ before: 2, found: null });
  });

  it.each<[string, Partial<HistoryOrder>]>([
    ['an order is not over', { status: 'NEW' }],
    ['an order is in hedge mode', { positionMode: 'HEDGE' }],
    ['a profit was not given', { profit: null, reduceOnly: 1, received: { profit: '' } }],
    ['a fee cannot be read', { feeAmount: null, received: { feeAmount: 'some' } }],
  ])('is not decided where %s', async (_why, change) => {
    expect(await start('3.7', 4, change).find()).toMatchObject({ undecidable: 4, found: null });
  });

  it.each(['3.7', '3.648'])(
    'counts no fee twice in any sum or file where the exchange says %s',
    async (profit) => {
      const one = start(profit);
      const before = one.stats.summary(ALL).results;
      await one.find();
      const [result] = one.stats.summary(ALL).results;
      expect(result).toMatchObject({ profit: '14.8', fee: '0.408', net: BROUGHT, wins: 4 });
      expect(one.stats.daily(ALL).days.map(({ results }) => results[0]?.net)).toEqual([BROUGHT]);
      if (profit === '3.648') expect(before[0]?.net).toBe('14.184');

      const { totals } = await one.groups.page({
        ...{ by: 'contract', contracts: [CONTRACT], filter: NO_FILTER, sort: NEWEST_GROUP_FIRST },
        ...{ zone: 'UTC', offset: 0, limit: 10 },
      });
      expect(totals[0]).toMatchObject({ pnl: '14.8', net: BROUGHT });
      const { rows } = await one.groups.page({
        ...{ by: 'round-trip', contracts: [CONTRACT], filter: NO_FILTER, sort: NEWEST_GROUP_FIRST },
        ...{ zone: 'UTC', offset: 0, limit: 10 },
      });
      expect(rows[0]).toMatchObject({ profit: { value: '3.7' } });

      const source = exportSource(one, { ...FULL_EXPORT, preset: 'koinly' });
      const text = Buffer.concat([...source.chunks].map(({ bytes }) => bytes)).toString('utf8');
      const amounts = text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[1]);
      expect(amounts).toEqual(Array.from({ length: 4 }, () => ['-0.05', '-0.052', '3.7']).flat());
    },
  );

  it('keeps daily results that agree with their rows when it changes, and follows new orders', async () => {
    const one = start('3.648');
    await one.find();
    expect(checked(one.db)).toMatchObject({ ok: true });
    const later = orderNumber(0, {
      ...{ id: '90', mtime: START + 60_000, symbolId: 'BTC-USDT-M', side: 'SELL', reduceOnly: 1 },
      ...{ profit: '0.948', feeAmount: '0.052' },
    });
    one.orders.insert([later], null, [], 0);
    expect(one.stats.summary(ALL).results[0]).toMatchObject({ profit: '15.8' });
  });

  it('gives days of an older version the coin of orders that locked nothing, once', async () => {
    const one = start('3.7', 4, { lockAssetId: '' });
    // As such a version wrote them.
    const unnamed = "(SELECT id FROM word WHERE value = '')";
    one.db.exec(`UPDATE order_day SET coin = ${unnamed}`);
    expect(checked(one.db)).toMatchObject({ ok: false });
    await one.find();
    expect(checked(one.db)).toMatchObject({ ok: true });
    expect(one.stats.summary(ALL).results).toMatchObject([{ coin: 'USDT', profit: '14.8' }]);
    one.db.exec(`UPDATE order_day SET coin = ${unnamed}`);
    await one.find();
    expect(checked(one.db)).toMatchObject({ ok: false });
  });

  it('counts a closed PnL that cannot be read as neither won nor lost, once for days of an older version', async () => {
    const one = start('3.648');
    await one.find();
    const unread = orderNumber(0, {
      ...{ id: '90', mtime: START + 60_000, symbolId: 'BTC-USDT-M', side: 'SELL', reduceOnly: 1 },
      ...{ profit: null, received: { profit: 'soon' }, feeAmount: '0.052' },
    });
    one.orders.insert([unread], null, [], 0);
    const { results, basis } = one.stats.summary(ALL);
    expect(results).toMatchObject([{ wins: 4, losses: 0, profit: '14.8', grossProfit: '14.8' }]);
    expect(basis.leftOut.orders).toBe(1);
    // As such a version wrote them.
    one.db.exec(
      "UPDATE order_day SET wins = 5; UPDATE meta SET value = '1' WHERE key = 'profit_coins_found'",
    );
    expect(checked(one.db)).toMatchObject({ ok: false });
    await one.find();
    expect(checked(one.db)).toMatchObject({ ok: true });
    one.db.exec('UPDATE order_day SET wins = 5');
    await one.find();
    expect(checked(one.db)).toMatchObject({ ok: false });
  });

  it('goes on with a change that was stopped, day by day', async () => {
    const one = start('3.648', 4, {}, DAY_MS);
    const days = one.stats.daily(ALL).days.length;
    expect(days).toBe(8);
    const steps = profitChange(one.db, 'after-fees', 0);
    for (let day = 0; day < 3; day++) expect(steps.next().done).toBe(false);
    expect(checked(one.db)).toMatchObject({ ok: false });
    await one.find();
    expect(checked(one.db)).toMatchObject({ ok: true });
    expect(one.stats.summary(ALL).results[0]).toMatchObject({ profit: '14.8', net: BROUGHT });
  });
});
