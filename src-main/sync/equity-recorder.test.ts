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
  const read = async (at: number): Promise<void> => {
    one.record(account([], [asset()]), at);
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
