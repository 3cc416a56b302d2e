import { expect, it } from 'vitest';
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';
import { InFlight } from './in-flight.ts';

/** A journal of two orders of unknown outcome, with as many in flight as the test says. */
function fixture() {
  const records = [
    { id: 'a', connectionId: 'practice' },
    { id: 'b', connectionId: 'live-1' },
  ] as IntentRecord[];
  const timers = new Set<() => void>();
  const self = {
    sending: [] as IntentRecord[],
    timers,
    settled: 0,
    recorded: Promise.resolve(),
    expire: () => {
      for (const run of timers) run();
    },
  };
  const inFlight = new InFlight(
    { idle: () => self.recorded, interrupted: () => self.sending, unresolved: () => records },
    {
      after: (_ms, run) => {
        timers.add(run);
        return () => timers.delete(run);
      },
    },
  );
  const wait = () => inFlight.whenSettled(5_000).then(() => self.settled++);
  return Object.assign(self, { inFlight, records, wait });
}

it('waits until the outcome of the last order is in the journal', async () => {
  const b = fixture();
  b.sending = b.records;
  const waits = [b.wait(), b.wait()];
  b.inFlight.update();
  b.sending = b.records.slice(1);
  b.inFlight.update();
  await Promise.resolve();
  expect([b.settled, b.timers.size]).toEqual([0, 2]);
  b.sending = [];
  b.inFlight.update();
  await Promise.all(waits);
  expect([b.settled, b.timers.size]).toEqual([2, 0]);
});

it('waits for an order that is being recorded, which is in flight afterwards', async () => {
  const b = fixture();
  const recorded = Promise.withResolvers<undefined>();
  b.recorded = recorded.promise;
  const waits = b.wait();
  // Another order's outcome.
  b.inFlight.update();
  b.sending = b.records;
  recorded.resolve(undefined);
  await new Promise((resolve) => setImmediate(resolve));
  expect(b.settled).toBe(0);
  b.sending = [];
  b.inFlight.update();
  await waits;
  expect([b.settled, b.timers.size]).toEqual([1, 0]);
});

it('waits for nothing if no order is in flight', async () => {
  const b = fixture();
  await b.wait();
  expect(b.timers.size).toBe(0);
});

it('gives up after the time allowed', async () => {
  const b = fixture();
  b.sending = b.records;
  const waited = b.wait();
  b.expire();
  await waited;
  expect(b.settled).toBe(1);
});

it('lists the unresolved orders of one connection', () => {
  const b = fixture();
  expect(b.inFlight.unresolved('live-1').map((one) => one.id)).toEqual(['b']);
});
