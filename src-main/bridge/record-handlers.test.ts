import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { done } from '../../src-shared/ipc/failures.ts';
import { HOUR_MS, MINUTE_MS } from '../../src-shared/time.ts';
import { printOrderCheckpoint, readOrderCheckpoint } from '../sync/order-checkpoint.ts';
import { FIRST_CHECKPOINT, printCheckpoint } from '../sync/trade-checkpoint.ts';
import { recordHandlers } from './record-handlers.ts';
import { dataOf } from '../../tests/shared/data-of.ts';

const NOW = 1_800_000_000_000;

it('restores nothing, and leaves no copy, once another connection is open', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-restore-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [file, part] = ['a.sqlite', 'a.sqlite.restoring'].map((name) => join(folder, name)) as [
    string,
    string,
  ];
  writeFileSync(file, 'own');
  writeFileSync(part, 'copy');
  const ready = done({ part, trades: 1, orders: 1, verificationKept: true });
  const archive = {
    figures: () => Promise.resolve(done({ path: file })),
    maintenance: { readyBackup: () => Promise.resolve(ready) },
  };
  const open = { id: 'live-1', account: () => null, history: Promise.resolve(done({ archive })) };
  const asked: unknown[] = [];
  const session = {
    summary: () => ({ kind: 'live' }),
    opened: () => Promise.resolve(open),
    // It is closed by now.
    replace: (connection: unknown) => Promise.resolve(void asked.push(connection)),
  };
  const ports = { openBackupPath: () => Promise.resolve('b.sqlite'), clock: { now: () => NOW } };
  const handlers = recordHandlers(session as never, ports as never);
  expect(await handlers['archive.restore']({ connectionId: 'live-1' })).toMatchObject({
    failure: { kind: 'blocked', message: expect.stringContaining('closed or changed meanwhile') },
  });
  expect([asked, readdirSync(folder)]).toEqual([[open], ['a.sqlite']]);
});

/** Returns what statistics up to now say of their basis, where the exchange's clock is `offsetMs` ahead of this one. */
async function basis(offsetMs: number, verifiedTo: number) {
  const checkpoint = { ...FIRST_CHECKPOINT, verifiedTo };
  const orderCheckpoint = { ...readOrderCheckpoint(null), verifiedTo };
  const archive = {
    state: () => done({ checkpoint: printCheckpoint(checkpoint) }),
    orderState: () => done({ checkpoint: printOrderCheckpoint(orderCheckpoint) }),
    unreadableTrades: () => done([]),
    orderGaps: () => done([]),
    figures: () => done({}),
    statsSummary: () => Promise.resolve(done({ basis: {} })),
  };
  const open = {
    id: 'live-1',
    history: Promise.resolve(done({ archive })),
    client: { clockOffsetMs: () => offsetMs },
  };
  const session = { current: () => open, opened: () => Promise.resolve(open) };
  const handlers = recordHandlers(session as never, { clock: { now: () => NOW - offsetMs } } as never);
  const query = { connectionId: 'live-1', from: null, to: null, symbol: null };
  const found = dataOf(await handlers['stats.summary'](query));
  const { ordersComplete, tradesComplete } = found.basis;
  return [ordersComplete, tradesComplete];
}

it.each([-2 * HOUR_MS, 0, 2 * HOUR_MS])(
  'judges by the exchange’s clock whether statistics are complete, %i ms off this computer’s',
  async (offsetMs) => {
    expect(await basis(offsetMs, NOW - MINUTE_MS)).toEqual([true, true]);
    expect(await basis(offsetMs, NOW - HOUR_MS)).toEqual([false, false]);
  },
);
