import { expect, it } from 'vitest';
import type { AccountSample } from '../../src-shared/domain/position/balance-change.ts';
import { account, asset } from '../../tests/domain/order-samples.ts';
import { NOW } from '../../tests/shared/manual-time.ts';
import { EquityRecorder } from './equity-recorder.ts';

const HOUR = 3_600_000;

function recorder() {
  const samples: AccountSample[] = [];
  const one = new EquityRecorder({
    lastSample: () => Promise.resolve({ ok: true, data: null }),
    addSample(sample) {
      samples.push(sample);
      return Promise.resolve({ ok: true, data: null });
    },
  });
  const read = async (at: number, assets = [asset()]): Promise<void> => {
    one.record(account([], assets), at);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { samples: () => samples.map(({ at }) => at - NOW), read };
}

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
