/**
 * Closes whose answer is lost while stops of the same position fire, and connections that are removed and added again
 * meanwhile. A stop that fired has every term of the close: only that a condition made it tells them apart.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { amount, multiply, printFixed } from '../../src-shared/amount.ts';
import type { OrderRequest } from '../../src-shared/exchange-api/order-request.ts';
import { chance } from '../shared/chance.ts';
import { type Bench, memoryFile, startBench } from './lost-answers.ts';

const SYMBOL = 'LINK-USDT-M';
const ROUNDS = 12;
const file = memoryFile();
let b: Bench;
beforeAll(async () => {
  b = await startBench({ file });
  b.findingOut.start();
});
afterAll(() => b.stop());

const close: OrderRequest = {
  symbolId: SYMBOL,
  side: 'SELL',
  type: 'MARKET',
  quantity: '5',
  reduceOnly: true,
};

async function mark(): Promise<string> {
  const { contracts } = await b.control('GET', '/state');
  const all = contracts as readonly { readonly symbolId: string; readonly mark: string }[];
  return all.find((one) => one.symbolId === SYMBOL)?.mark ?? '';
}
/** A long whose stop lies three hundredths below the mark, opened by another program on the account. */
async function openWithStop(): Promise<void> {
  const slPrice = printFixed(multiply(amount(await mark()), amount('0.97')), 3, 'down');
  const opened = await b.observer.placeOrder({
    ...{ symbolId: SYMBOL, side: 'BUY', type: 'MARKET', quantity: '5' },
    tpSl: { tpTriggerType: 'NONE', slTriggerType: 'MARK_PRICE', slPrice },
  });
  if (opened.outcome !== 'accepted') throw new Error(JSON.stringify(opened));
}
const shock = (share: string) => b.control('POST', '/shock', { symbolId: SYMBOL, share });

it('never takes a stop that fired for a lost close, and finds the closes that were placed', async () => {
  const random = chance(17);
  const seen = { fired: 0, found: 0, moved: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    await openWithStop();
    await b.poll(SYMBOL);
    const since = b.time.now();
    const placed = random.often(50);
    const lost = await b.send(close, { action: 'reset', accept: placed });
    expect(lost.state).toBe('unknown');
    const truth = placed ? ((await b.trueIds(SYMBOL, since)).at(-1) ?? null) : null;
    if (!placed) {
      await shock('0.95');
      await b.time.passUntil(b.time.now() + 1_000);
    }
    // The entry it was sent by is gone; the same account is added under another name.
    const moved = random.often(50);
    if (moved) await b.findingOut.stop();
    const { journal, findingOut } = moved ? await b.restart(file.text, `added-${round}`) : b;
    findingOut.start();
    await b.time.passUntil(since + 40_000);
    const record = journal.get(lost.id);
    if (placed) {
      expect(record).toMatchObject({ state: 'landed', orderId: truth });
      seen.found++;
    } else {
      expect(record).toMatchObject({ state: 'unknown', orderId: null });
      expect(record?.finding?.checks.at(-1)?.verdict).toBe('absent');
      const listed = await b.observer.orderHistory({ symbolId: SYMBOL, startTime: since });
      const fired = listed.ok ? listed.data.filter((one) => one.conditionOrderId !== '') : [];
      expect(fired).toMatchObject([{ side: 'SELL', type: 'MARKET', totalQuantity: '5.0', reduceOnly: 1 }]);
      await shock('1.0526');
      seen.fired++;
    }
    if (moved) {
      expect(record?.connectionId).toBe(`added-${round}`);
      await findingOut.stop();
      seen.moved++;
      b.findingOut.start();
    }
    if (b.journal.get(lost.id)?.state === 'unknown') await b.desk.closeUnknown(lost.id, SYMBOL);
    await b.time.passUntil(b.time.now() + 200_000);
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(2);
});
