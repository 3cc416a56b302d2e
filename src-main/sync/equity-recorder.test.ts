import { expect, it } from 'vitest';
import type { AccountSample, SampleChange } from '../../src-shared/domain/position/balance-change.ts';
import { done, failed, type Result } from '../../src-shared/ipc/failures.ts';
import { account, asset } from '../../tests/domain/order-samples.ts';
import { NOW } from '../../tests/shared/manual-time.ts';
import { EquityRecorder } from './equity-recorder.ts';

const HOUR = 3_600_000;

const FAULT: Result<null> = failed({ kind: 'file', message: 'The disk is full.', next: '' });

/** The archive's part: it keeps the state across recorders, and takes nothing while its disk is full. */
function store() {
  const disk = { isFull: false, state: null as string | null };
  const changes: SampleChange[] = [];
  const samples: AccountSample[] = [];
  const archive: ConstructorParameters<typeof EquityRecorder>[0] = {
    lastSample: () => Promise.resolve(disk.isFull ? FAULT : done(disk.state)),
    addSample(sample, found, state) {
      if (disk.isFull) return Promise.resolve(FAULT);
      samples.push(sample);
      changes.push(...found);
      disk.state = state;
      return Promise.resolve(done(null));
    },
  };
  return { archive, disk, samples, changes };
}

function recorder({ archive, samples } = store()) {
  const one = new EquityRecorder(archive);
  const read = async (at: number, assets = [asset()]): Promise<void> => {
    one.record(account([], assets), at);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { one, samples: () => samples.map(({ at }) => at - NOW), read };
}

const holding = (balance: string) => [asset({ balance })];

it('finds a change of a balance once, also across a restart', async () => {
  const kept = store();
  await recorder(kept).read(NOW, holding('100'));
  expect(kept.changes).toEqual([]);
  const { read } = recorder(kept);
  await read(NOW + HOUR, holding('90'));
  await read(NOW + HOUR + 1_000, holding('90'));
  expect(kept.changes.map(({ coin, change, since }) => [coin, change, since])).toEqual([
    ['USDT', '-10', NOW],
  ]);
});

it('finds a change again whose sample the disk did not take, and none before the last state is read', async () => {
  const kept = store();
  const { disk, changes } = kept;
  await recorder(kept).read(NOW, holding('100'));
  const { read } = recorder(kept);
  disk.isFull = true;
  await read(NOW + 1_000, holding('90'));
  disk.isFull = false;
  await read(NOW + 2_000, holding('90'));
  disk.isFull = true;
  await read(NOW + 3_000, holding('70'));
  disk.isFull = false;
  await read(NOW + 4_000, holding('70'));
  expect(changes.map(({ change }) => change)).toEqual(['-10', '-20']);
});

it('finds no change where time did not go on, as after a reset', async () => {
  const kept = store();
  const { read } = recorder(kept);
  await read(NOW, holding('100'));
  await read(NOW, holding('90'));
  await read(NOW - HOUR, holding('80'));
  expect(kept.changes).toEqual([]);
});

it('ends its write before it stops, and records nothing after', async () => {
  const { one, samples, read } = recorder();
  one.record(account([], holding('100')), NOW);
  one.record(account([], holding('90')), NOW + 1);
  await one.stop();
  await read(NOW + HOUR);
  expect(samples()).toEqual([0]);
});

it('samples once a minute', async () => {
  const { samples, read } = recorder();
  for (const at of [0, 1_000, 59_999, 60_000, 61_000]) await read(NOW + at);
  expect(samples()).toEqual([0, 60_000]);
});

it('goes on at once after a clock that was ahead is set back', async () => {
  const { samples, read } = recorder();
  for (const at of [5 * HOUR, 0, 1_000, 60_000]) await read(NOW + at);
  expect(samples()).toEqual([5 * HOUR, 0, 60_000]);
});

it('samples once a minute whatever the order of the coins, which is not documented', async () => {
  const { samples, read } = recorder();
  const coins = [asset(), asset({ coin: 'BTC', balance: '1' })];
  await read(NOW, coins);
  await read(NOW + 1_000, coins.toReversed());
  await read(NOW + 2_000, coins);
  expect(samples()).toEqual([0]);
  await read(NOW + 3_000, [coins[0]!, asset({ coin: 'BTC', balance: '2' })]);
  expect(samples()).toEqual([0, 3_000]);
});
