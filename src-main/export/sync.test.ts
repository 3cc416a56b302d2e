import { expect, it } from 'vitest';
import { failed } from '../../src-shared/ipc/failures.ts';
import { ManualTime } from '../../tests/shared/manual-time.ts';
import { RateLimit } from '../exchange/rate-limit.ts';
import { fill, type SyncEnd } from './sync.ts';

it('retries for as long as it may, whatever the wall clock is set to', async () => {
  const time = new ManualTime();
  const offline = () => Promise.resolve(failed({ kind: 'offline', message: 'gone', next: '' }));
  let end: SyncEnd | null = null;
  const ended = fill({
    client: {} as never,
    archive: { state: offline, orderState: offline } as never,
    limit: new RateLimit(time.mono),
    contracts: [],
    clock: time,
    timers: time,
    waitMs: 120_000,
    isLocal: true,
    onStatus: () => undefined,
    signal: new AbortController().signal,
  }).then((one) => (end = one));
  await time.pass(10_000);
  time.setWall(3_600_000);
  await time.pass(109_000);
  expect(end).toBeNull();
  await time.pass(2_000);
  await ended;
  expect(end).toMatchObject({ complete: false, failure: { message: 'gone' } });
});
