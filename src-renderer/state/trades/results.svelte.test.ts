import { describe, expect, it } from 'vitest';
import { NO_FILTER } from '../../../src-shared/ipc/trades.ts';
import { FakeBridge, FakeTime } from '../../../tests/renderer/fake-bridge.ts';
import { Clock } from '../runtime/clock.svelte.ts';
import { TradeResults } from './results.svelte.ts';

const FOLLOW_MS = 5_000;
const QUERY = { filter: NO_FILTER, contracts: [], zone: 'UTC' };
const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

function start() {
  const bridge = new FakeBridge();
  const time = new FakeTime();
  const asked: string[] = [];
  let trades = 1;
  bridge.replies = {
    'trades.groups': (input) => {
      const { by, filter } = input as { by: string; filter: { symbols: readonly string[] } };
      asked.push(by);
      const key = filter.symbols[0] ?? by;
      return { rows: [{ kind: by, key, trades }], totals: [{ coin: 'USDT' }], count: 1, stored: trades };
    },
  };
  const results = new TradeResults(bridge, new Clock(time));
  results.follow('practice');
  return { results, time, asked, grow: () => ++trades };
}

describe('the results of a filter', () => {
  it('are read by day, then by contract, and again for another filter', async () => {
    const { results, asked } = start();
    results.show(QUERY, '1');
    expect(asked).toEqual(['day']);
    await settled();
    expect(asked).toEqual(['day', 'contract']);
    expect([results.days?.[0]?.key, results.contracts?.[0]?.key, results.coin]).toEqual([
      'day',
      'contract',
      'USDT',
    ]);
    results.show({ ...QUERY, filter: { ...NO_FILTER, symbols: ['ETH-USDT-M'] } }, '1');
    expect(results.days).toBeNull();
    await settled();
    expect(results.contracts?.[0]?.key).toBe('ETH-USDT-M');
  });

  it('are read again once the archive has changed, not more often than every 5 s', async () => {
    const { results, time, asked, grow } = start();
    results.show(QUERY, '1');
    await settled();
    for (const archived of ['2', '3']) {
      grow();
      results.show(QUERY, archived);
    }
    await settled();
    expect(asked).toHaveLength(2);
    time.pass(FOLLOW_MS);
    await settled();
    expect(asked).toHaveLength(4);
    expect(results.contracts?.[0]?.trades).toBe(3);
    time.pass(FOLLOW_MS);
    await settled();
    expect(asked).toHaveLength(4);
  });

  it('of a closed screen stay empty, also when a read ends later', async () => {
    const { results, time, asked } = start();
    results.show(QUERY, '1');
    results.stop();
    await settled();
    time.pass(FOLLOW_MS);
    await settled();
    expect([asked.length, results.days, results.contracts]).toEqual([1, null, null]);
  });
});
