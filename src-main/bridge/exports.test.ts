import { expect, it } from 'vitest';
import { NO_FILTER, type TradeFilter } from '../../src-shared/ipc/trades.ts';
import { Exports, type ExportData } from './exports.ts';

/** The file name suggested for an export of trades for Koinly. */
async function suggested(filter: Partial<TradeFilter>): Promise<string> {
  const asked: string[] = [];
  const never = (): never => {
    throw new Error('not expected');
  };
  const exports = new Exports({
    savePath(name) {
      asked.push(name);
      return Promise.resolve(null);
    },
    ...{ openPath: never, showFile: never, changed: never, imported: never, newId: never },
    clock: { now: () => Date.parse('2026-11-23T10:00:00Z') },
  });
  const result = await exports.start(
    { account: 'Main' } as ExportData,
    {
      ...{ table: 'trades', preset: 'koinly', connectionId: 'practice', timeZone: 'UTC' },
      filter: { ...NO_FILTER, ...filter },
    } as never,
  );
  expect(result).toEqual({ ok: true, data: null });
  return asked.join();
}

it('suggests a name that says what the filter leaves', async () => {
  const [from, to] = [Date.parse('2026-10-01T00:00:00Z'), Date.parse('2026-10-31T23:59:59Z')];
  expect(await suggested({})).toBe('trades-practice-koinly-all-2026-11-23.csv');
  expect(await suggested({ symbols: ['BTC-USDT-M'] })).toContain('-koinly-btc-usdt-m-2026-11-23');
  expect(await suggested({ from, to })).toContain('-koinly-from-2026-10-01-to-2026-10-31-2026-11-23');
  expect(await suggested({ symbols: ['BTC-USDT-M'], to })).toContain('-koinly-btc-usdt-m-to-2026-10-31-');
  expect(await suggested({ symbols: ['A', 'B'] })).toContain('-koinly-filtered-');
  expect(await suggested({ sides: ['BUY'] })).toContain('-koinly-filtered-');
});
