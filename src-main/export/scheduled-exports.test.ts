import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/archive/trades.ts';
import { DEFAULT_TAX } from '../../src-shared/ipc/default-settings.ts';
import type { ExportSchedule } from '../../src-shared/ipc/export-schedule.ts';
import { done, failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import { FIRST_CHECK_MS, CHECK_MS, RETRY_MS } from '../schedule.ts';
import type { ExportEnd } from './run.ts';
import { NO_EXPORTS, storedExportsSchema, type StoredExports } from './schedule-file.ts';
import { ScheduledExports, type ExportOrigin } from './scheduled-exports.ts';
import { fileAt } from './scheduled-file.ts';
import { ManualTime } from '../../tests/shared/manual-time.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A Monday. */
const START = Date.parse('2026-11-23T10:00:00Z');
const FULL: Failure = { kind: 'file', message: 'The disk is full.', next: 'Free up space.' };
const OFFLINE: Failure = { kind: 'offline', message: 'Not reached.', next: 'Check the network.' };

const WRITTEN = { rows: 3, bytes: 90, profit: null as never, controlTotals: null, listedTo: Infinity };
const end = (more: Partial<ExportEnd> = {}): Result<ExportEnd> =>
  done({
    ...{ movedAside: null, unlisted: [], status: null, incomplete: null, failure: null },
    written: WRITTEN,
    ...more,
  });

interface Run {
  readonly name: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly profitsWithin?: string;
}
const day = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** Scheduled exports over a manual clock and exports that end as the test says. */
function fixture(stored: Partial<StoredExports> = {}) {
  const chosen = join(folder.path, 'chosen');
  mkdirSync(chosen, { recursive: true });
  const time = new ManualTime(START);
  const runs: Run[] = [];
  const ends: ((result: Result<ExportEnd>) => void)[] = [];
  const said: string[] = [];
  const state = {
    ...{ sending: false, locked: false, removed: false, holds: false, identity: 'one' },
    kept: { ...NO_EXPORTS, ...stored } satisfies StoredExports,
    result: end(),
  };
  const origin: ExportOrigin = {
    account: 'Main / desk',
    get identity() {
      return state.identity;
    },
    run({ query, out }, { signal }) {
      const { from, to } = query.filter;
      const { profitsWithin } = query;
      const run = { name: out.slice(chosen.length + 1), from: day(from), to: day(to) };
      runs.push(profitsWithin === undefined ? run : { ...run, profitsWithin });
      if (!state.holds) return Promise.resolve(state.result);
      return new Promise((resolve) => {
        ends.push(resolve);
        signal.addEventListener('abort', () => resolve(end({ written: null })));
      });
    },
  };
  const scheduled = new ScheduledExports({
    file: {
      read: () => Promise.resolve(state.kept),
      write: (value) => Promise.resolve(void (state.kept = value)),
    },
    folderPath: () => Promise.resolve(chosen),
    showFile: (path) => said.push(`shown ${path}`),
    origin: () => (state.removed ? null : origin),
    isSending: () => state.sending,
    mayRead: () => !state.locked,
    settings: () => ({ zone: 'UTC', tax: DEFAULT_TAX }),
    notice: (message, next) => said.push(`${message} ${next}`),
    changed: () => undefined,
    clock: time,
    timers: time,
  });
  scheduled.begin();
  return {
    ...{ scheduled, state, runs, ends, said, chosen },
    passes: (ms: number) => time.pass(ms),
    settled: () => time.rest(),
  };
}

async function scheduled(schedule: Partial<ExportSchedule>, stored: Partial<StoredExports> = {}) {
  const one = fixture(stored);
  await one.scheduled.chooseFolder();
  await one.scheduled.set({ connectionId: 'live-1', ...schedule, on: true });
  return one;
}

it.each([
  ['Main / desk', 'Main desk'],
  ['मुख्य खाता', 'मुख्य खाता'],
  ['บัญชี “หลัก”', 'บัญชี หลัก'],
])('names the file of %s with the whole words of the connection', (account, name) => {
  const schedule = { ...NO_EXPORTS.schedule, period: 'all' } as const;
  const file = fileAt(schedule, START, { zone: 'UTC', exportedTo: null, account });
  expect(file?.name).toBe(`Ballast trades ${name} all.csv`);
});

describe('a schedule of exports', () => {
  it('needs a folder and a connection', async () => {
    const one = fixture();
    expect(await one.scheduled.set({ connectionId: 'live-1', on: true })).toMatchObject({
      failure: { field: 'folder' },
    });
    await one.scheduled.chooseFolder();
    one.state.removed = true;
    expect(await one.scheduled.set({ connectionId: 'live-1', on: true })).toMatchObject({
      failure: { field: 'connectionId' },
    });
    expect(await one.scheduled.get()).toMatchObject({ data: { schedule: { on: false }, dueAt: null } });
  });

  it('names the coins of a file for rotki that rotki does not know', async () => {
    const { scheduled: exports, state } = await scheduled({ format: 'rotki', period: 'all' });
    const fees = ['USDT', 'SHIB', ''].map((asset) => ({ asset, amount: '1' }));
    const controlTotals = { trades: 3, fees, agrees: true, profit: null, free: 0, unreadFees: 0 };
    state.result = end({ written: { ...WRITTEN, controlTotals } });
    const warnings = [
      expect.stringMatching(/^No identifier for SHIB in the last file: .* Enter it in Trades/),
    ];
    expect(await exports.run()).toMatchObject({ data: { warnings } });
    expect(state.kept.last?.warnings).toEqual(warnings);
    await exports.set({ format: 'bittytax' });
    expect(await exports.run()).toMatchObject({ data: { warnings: [] } });
  });

  it('writes at its time, from the end of the last file to the end of the day before', async () => {
    const { scheduled: exports, runs, passes, state } = await scheduled({ every: 'week', at: '06:00' });
    expect(await exports.get()).toMatchObject({ data: { dueAt: START - 4 * HOUR + 7 * DAY } });
    await passes(7 * DAY - 4 * HOUR - 1);
    expect(runs).toEqual([]);
    await passes(7 * DAY + 2 * CHECK_MS);
    expect(runs).toEqual([
      {
        ...{ name: 'Ballast trades Main desk up to 2026-11-29.csv' },
        ...{ from: null, to: '2026-11-29T23:59:59.999Z', profitsWithin: 'change' },
      },
      {
        ...{ name: 'Ballast trades Main desk 2026-11-30 to 2026-12-06.csv' },
        ...{ from: '2026-11-30T00:00:00.000Z', to: '2026-12-06T23:59:59.999Z' },
        profitsWithin: 'change',
      },
    ]);
    expect(state.kept).toMatchObject({ last: { rows: 3, bytes: 90 }, failed: null });
    // By hand on the same day there is no new day.
    expect(await exports.run()).toMatchObject({ failure: { field: 'period' } });
  });

  it('has nothing to do, and says nothing, where the file of its day was written manually', async () => {
    const { scheduled: exports, runs, said, passes } = await scheduled({ every: 'day', at: '11:00' });
    await exports.run();
    await passes(HOUR + 3 * RETRY_MS);
    expect(said).toEqual([]);
    expect(runs).toHaveLength(1);
    expect(await exports.get()).toMatchObject({ data: { failed: null, dueAt: START + HOUR + DAY } });
    await passes(DAY);
    expect(runs.map(({ from }) => from)).toEqual([null, '2026-11-23T00:00:00.000Z']);
  });

  it('leaves nothing out where a file was written by a clock that was ahead', async () => {
    const { scheduled: exports, runs, state, passes } = await scheduled({ period: 'since-last' });
    const listedTo = START - 60_000;
    state.result = end({ written: { ...WRITTEN, listedTo } });
    await passes(DAY);
    await exports.run();
    state.result = end();
    await exports.run();
    expect(runs.map(({ from, to }) => [from, to])).toEqual([
      [null, '2026-11-23T23:59:59.999Z'],
      [new Date(listedTo + 1).toISOString(), '2026-11-23T23:59:59.999Z'],
    ]);
  });

  it('begins at the start of the history of a connection that was chosen while another’s was written', async () => {
    const { scheduled: exports, runs, ends, state, settled } = await scheduled({ period: 'since-last' });
    state.holds = true;
    const running = exports.run();
    await settled();
    await exports.set({ connectionId: 'live-2' });
    ends[0]?.(end());
    await running;
    expect(state.kept).toMatchObject({ last: { rows: 3 }, exportedTo: null });
    state.holds = false;
    await exports.run();
    expect(runs.map(({ from }) => from)).toEqual([null, null]);
  });

  it('begins at the start of the history of another account whose key the connection got', async () => {
    const { scheduled: exports, runs, state, passes } = await scheduled({});
    await exports.run();
    expect(v.parse(storedExportsSchema, state.kept)).toMatchObject({ exportedOf: 'one' });
    state.identity = 'other';
    await exports.run();
    await passes(DAY);
    await exports.run();
    expect(runs.map(({ from }) => from)).toEqual([null, null, '2026-11-23T00:00:00.000Z']);
  });

  it('goes on from the last file of an earlier version, which did not store whose it is', async () => {
    const exportedTo = START - 3 * DAY;
    const { scheduled: exports, runs } = await scheduled(
      {},
      { schedule: { ...NO_EXPORTS.schedule, connectionId: 'live-1' }, exportedTo },
    );
    await exports.run();
    expect(runs[0]?.from).toBe(day(exportedTo + 1));
  });

  it('counts from a change of its times also while a file is written', async () => {
    const { scheduled: exports, runs, ends, state, passes } = await scheduled({ every: 'day', at: '11:00' });
    state.holds = true;
    await passes(HOUR + CHECK_MS);
    expect(ends).toHaveLength(1);
    await exports.set({ at: '11:01' });
    ends[0]?.(end());
    state.holds = false;
    await passes(HOUR);
    expect(runs).toHaveLength(1);
    expect(await exports.get()).toMatchObject({ data: { dueAt: START + HOUR + 60_000 + DAY } });
  });

  it('writes what was chosen last, also while that is being stored', async () => {
    const { scheduled: exports, runs } = await scheduled({ period: 'since-last' });
    const changed = exports.set({ period: 'all' });
    await exports.run();
    expect(runs.map(({ name }) => name)).toEqual(['Ballast trades Main desk all.csv']);
    expect(await changed).toMatchObject({ ok: true });
  });

  it('writes each missed month at the next start, and a file of the year once', async () => {
    const kept = { folder: join(folder.path, 'chosen'), countedFrom: Date.parse('2026-08-15T00:00:00Z') };
    const schedule = { ...NO_EXPORTS.schedule, on: true, connectionId: 'live-1' };
    const months = fixture({ ...kept, schedule: { ...schedule, period: 'last-month' } });
    await months.passes(FIRST_CHECK_MS + 5 * CHECK_MS);
    expect(months.runs.map(({ name }) => name)).toEqual(
      ['2026-08', '2026-09', '2026-10'].map((month) => `Ballast trades Main desk ${month}.csv`),
    );
    expect(months.runs.map(({ profitsWithin }) => profitsWithin)).toEqual([undefined, undefined, undefined]);
    expect(months.state.kept.countedFrom).toBe(Date.parse('2026-11-01T06:00:00Z'));

    const year = fixture({ ...kept, schedule: { ...schedule, period: 'year', format: 'koinly' } });
    await year.passes(FIRST_CHECK_MS + 5 * CHECK_MS);
    expect(year.runs.map(({ name }) => name)).toEqual(['Ballast koinly Main desk 2026.csv']);
  });

  it.each([
    ['month', '2026-10', '2026-10-01T00:00:00.000Z', '2026-10-31T23:59:59.999Z'],
    ['year', '2025', '2025-01-01T00:00:00.000Z', '2025-12-31T23:59:59.999Z'],
  ] as const)('ends a missed file of this %s with it', async (period, name, from, to) => {
    const { runs, passes } = fixture({
      schedule: { ...NO_EXPORTS.schedule, on: true, every: 'day', connectionId: 'live-1', period },
      folder: join(folder.path, 'chosen'),
      countedFrom: Date.parse(to) - 2 * DAY,
    });
    await passes(FIRST_CHECK_MS);
    expect(runs).toEqual([{ name: `Ballast trades Main desk ${name}.csv`, from, to }]);
  });

  it('does not begin while an order is sent or the secret is unloaded, and ends when it is', async () => {
    const {
      scheduled: exports,
      state,
      runs,
      passes,
      settled,
    } = await scheduled({ every: 'day', at: '11:00' });
    state.sending = true;
    await passes(2 * HOUR);
    Object.assign(state, { sending: false, locked: true });
    await passes(HOUR);
    expect(runs).toEqual([]);
    Object.assign(state, { locked: false, holds: true });
    await passes(2 * CHECK_MS);
    expect(runs).toHaveLength(1);
    expect(await exports.run()).toMatchObject({ failure: { kind: 'blocked' } });
    state.locked = true;
    exports.follow();
    await settled();
    expect(await exports.get()).toMatchObject({ data: { working: null, failed: null, last: null } });
  });

  it('ends for a connection that was removed, and not for one that was opened', async () => {
    const { scheduled: exports, state, settled } = await scheduled({});
    state.holds = true;
    void exports.run();
    await settled();
    await exports.release('live-1');
    expect(await exports.get()).toMatchObject({ data: { working: { stored: 0 } } });
    state.removed = true;
    await exports.release('live-1');
    expect(await exports.get()).toMatchObject({ data: { working: null } });
  });

  it('announces a streak of failures once, tries again each hour, and keeps the reason until it works', async () => {
    const { scheduled: exports, state, runs, said, passes } = await scheduled({ every: 'day', at: '11:00' });
    state.result = end({ written: null, incomplete: { failure: OFFLINE } });
    await passes(HOUR + 3 * RETRY_MS + 4 * CHECK_MS);
    expect(runs).toHaveLength(4);
    expect(said).toEqual(['Scheduled export: Not reached. Check the network. See Settings › Data.']);
    expect(await exports.get()).toMatchObject({ data: { failed: { failure: OFFLINE }, last: null } });
    state.result = end({ written: null, failure: FULL });
    expect(await exports.run()).toEqual(failed(FULL));
    state.result = end({ written: null, incomplete: { failure: null } });
    expect(await exports.run()).toMatchObject({ failure: { kind: 'unknown' } });
    state.result = end();
    await passes(RETRY_MS + CHECK_MS);
    expect(await exports.get()).toMatchObject({ data: { failed: null, last: { rows: 3 } } });
  });

  it('promises no second try of one that was started manually', async () => {
    const one = await scheduled({ every: 'day', at: '23:00' });
    const next = async (): Promise<string | undefined> => {
      const result = await one.scheduled.run();
      return result.ok ? undefined : result.failure.next;
    };
    one.state.result = end({ written: null, incomplete: { failure: null } });
    expect(await next()).toBe('Try again. An existing file was not changed.');
    const lost = { ...OFFLINE, next: 'Check the network. Ballast retries automatically.' };
    one.state.result = end({ written: null, incomplete: { failure: lost } });
    expect(await next()).toBe('Check the network. Try again.');
    expect(await one.scheduled.get()).toMatchObject({
      data: { failed: { failure: { next: 'Check the network. Try again.' } } },
    });
    await one.passes(14 * HOUR);
    expect(one.said.at(-1)).toContain('Ballast retries automatically.');
  });

  it('counts from a change of its times, not from what lies before', async () => {
    const { scheduled: exports, state, runs, passes } = await scheduled({ every: 'day', at: '11:00' });
    await exports.set({ on: false });
    await passes(3 * DAY);
    await exports.set({ on: true, at: '10:30' });
    expect(runs).toEqual([]);
    expect(await exports.get()).toMatchObject({ data: { dueAt: START + 3 * DAY + HOUR / 2 } });
    await Promise.all([exports.set({ format: 'koinly' }), exports.set({ period: 'year' })]);
    expect(state.kept.schedule).toMatchObject({ format: 'koinly', period: 'year', at: '10:30' });
    // Another connection's files begin at its own first trade.
    state.kept = { ...state.kept, exportedTo: START };
    await exports.set({ connectionId: 'live-2' });
    expect(state.kept.exportedTo).toBeNull();
  });

  it('reads a failure that an earlier version stored', () => {
    const failed = (kind: string) => ({
      at: START,
      failure: { kind, message: 'No folder.', next: 'Choose one.' },
    });
    const stored = v.parse(storedExportsSchema, { ...NO_EXPORTS, failed: failed('denied') });
    expect(stored.failed).toEqual(failed('blocked'));
  });

  it('says what the history of a written file lacks, in a notice once', async () => {
    const { scheduled: exports, state, said } = await scheduled({ period: 'all' });
    const status = { unreadable: 0, quarantined: 0, orders: { gaps: 2, quarantined: 0 } };
    state.result = end({ status: status as never });
    const gaps = '2 gaps in the order history: orders of that time may be missing.';
    const notice = `Scheduled export: ${gaps} The file was written. See Settings › Data.`;
    expect(await exports.run()).toMatchObject({ data: { warnings: [gaps] } });
    expect(state.kept.last?.warnings).toEqual([gaps]);
    await exports.run();
    expect(said).toEqual([notice]);
    state.result = end();
    expect(await exports.run()).toMatchObject({ data: { warnings: [] } });
  });

  it('reports a folder that is gone', async () => {
    const { scheduled: exports, chosen } = await scheduled({});
    expect(await exports.get()).toMatchObject({ data: { isFolderMissing: false } });
    rmSync(chosen, { recursive: true });
    expect(await exports.get()).toMatchObject({ data: { isFolderMissing: true } });
  });
});
