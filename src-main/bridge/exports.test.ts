import { describe, expect, it } from 'vitest';
import { NO_FILTER, type TradeFilter } from '../../src-shared/ipc/trades.ts';
import { done, failed } from '../../src-shared/ipc/failures.ts';
import { notOpen } from '../session/failures.ts';
import type { Archive } from '../archive/archive.ts';
import { Exports, type ExportData } from './exports.ts';

/** The file name suggested for an export of trades for Koinly. */
async function suggested(
  filter: Partial<TradeFilter>,
  timeZone = 'UTC',
  now = Date.parse('2026-11-23T10:00:00Z'),
): Promise<string> {
  const asked: string[] = [];
  const never = (): never => {
    throw new Error('not expected');
  };
  const exports = new Exports({
    savePath(name) {
      asked.push(name);
      return Promise.resolve(null);
    },
    ...{ openPath: never, showFile: never, changed: never, imported: never, notice: never, newId: never },
    clock: { now: () => now },
  });
  const result = await exports.start((use) => use({ account: 'Main' } as ExportData), {
    ...{ table: 'trades', preset: 'koinly', connectionId: 'practice', timeZone },
    filter: { ...NO_FILTER, ...filter },
  } as never);
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

it.each([
  ['America/Sao_Paulo', '-03:00', '2026-11-22'],
  ['Asia/Kathmandu', '+05:45', '2026-11-23'],
])('names the days of the time zone %s', async (zone, offset, today) => {
  const [from, to] = [`2026-10-01T00:00:00${offset}`, `2026-10-31T23:59:59${offset}`].map(Date.parse);
  const name = await suggested({ from: from!, to: to! }, zone, Date.parse('2026-11-23T01:00:00Z'));
  expect(name).toBe(`trades-practice-koinly-from-2026-10-01-to-2026-10-31-${today}.csv`);
});

describe('an export or import whose connection is opened anew while its dialog is open', () => {
  /** Begins both. Each dialog closes `current`, the first archive, and opens `next`. */
  async function begun(next: string | null) {
    const used: string[] = [];
    const archive = (name: string) => {
      const job = () => {
        used.push(name);
        return { done: new Promise<never>(() => undefined), cancel: () => undefined };
      };
      return { account: 'Main', archive: { exportCsv: job, importCsv: job } } as unknown as ExportData;
    };
    let current: string | null = 'first';
    const chosen = (): Promise<string> => {
      current = next;
      return Promise.resolve('/tmp/trades.csv');
    };
    const never = (): never => {
      throw new Error('not expected');
    };
    const exports = new Exports({
      ...{ savePath: chosen, openPath: chosen, showFile: never, changed: never, imported: never },
      notice: never,
      newId: () => 'job',
      clock: { now: () => 0 },
    });
    const query = { table: 'trades', preset: 'full', connectionId: 'live', filter: NO_FILTER } as never;
    const exported = await exports.start(
      async (use) => (current === null ? notOpen() : use(archive(current))),
      query,
    );
    current = 'first';
    const imported = await exports.import(async (use) =>
      current === null ? notOpen() : use(archive(current).archive),
    );
    return { used, running: exports.running(), results: [exported, imported] };
  }

  it('uses the archive that is open by then', async () => {
    const { used, results } = await begun('anew');
    expect(used).toEqual(['anew', 'anew']);
    expect(results).toMatchObject([done({ id: 'job' }), done({ id: 'job' })]);
  });

  it('does not begin once another connection, or none, is open', async () => {
    const { used, running, results } = await begun(null);
    expect([used, running]).toEqual([[], 0]);
    const refused = failed({ message: 'This connection is not open.' } as never);
    expect(results).toMatchObject([refused, refused]);
  });
});

describe('an export or import', () => {
  /** Ends both as the worker does when they are cancelled. */
  async function endsOf(cancelled: boolean) {
    const ends: unknown[] = [];
    const notices: string[] = [];
    const closed = Promise.withResolvers<undefined>();
    const job = () => ({
      done: closed.promise.then(() => ({ state: 'cancelled', failure: null })),
      cancel: () => closed.resolve(undefined),
    });
    const archive = { exportCsv: job, importCsv: job } as unknown as Archive;
    let ids = 0;
    const both = Promise.withResolvers<undefined>();
    const push = (progress: { state: string }): void => {
      if (ends.push(progress) === 2) both.resolve(undefined);
    };
    const chosen = (): Promise<string> => Promise.resolve('/tmp/trades.csv');
    const exports = new Exports({
      ...{ savePath: chosen, openPath: chosen, changed: push, imported: push },
      showFile: () => undefined,
      notice: (message) => notices.push(message),
      newId: () => String(ids++),
      clock: { now: () => 0 },
    });
    const query = { table: 'trades', preset: 'full', connectionId: 'live', filter: NO_FILTER } as never;
    await exports.start((use) => use({ account: 'Main', archive } as ExportData), query);
    await exports.import((use) => use(archive));
    if (cancelled) ['0', '1'].forEach((id) => exports.cancel(id));
    else closed.resolve(undefined);
    await both.promise;
    return { ends, notices };
  }

  it('that is cancelled says so', async () => {
    const { ends, notices } = await endsOf(true);
    expect(ends).toMatchObject([{ state: 'cancelled' }, { state: 'cancelled' }]);
    expect(notices).toEqual([]);
  });

  it('that ends with its connection has failed, and says why, also to a window that has left it', async () => {
    const message = 'Its connection was closed meanwhile, or opened again.';
    const end = { state: 'failed', failure: { message } };
    const { ends, notices } = await endsOf(false);
    expect(ends).toMatchObject([end, end]);
    expect(notices).toEqual([
      `The export to trades.csv was stopped. ${message}`,
      `The import of trades.csv was stopped. ${message}`,
    ]);
  });
});
