import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import { AppState } from '../../state/app/app-state.svelte.ts';
import { DeferredState } from '../../state/app/deferred-state.svelte.ts';
import { DAY_MS } from '../../../src-shared/time.ts';
import { FakeBridge, FakeTime } from '../../../tests/renderer/fake-bridge.ts';
import { Past } from './past.svelte.ts';

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

async function started() {
  // Idle at once, since only what is requested is tested.
  vi.stubGlobal('requestIdleCallback', (run: () => void) => (run(), 0));
  vi.stubGlobal('cancelIdleCallback', () => {});
  const bridge = new FakeBridge();
  const time = new FakeTime();
  const app = new AppState(bridge, time, () => Promise.resolve(DeferredState));
  app.start();
  await settled();
  return { bridge, time, app };
}

it('requests at once, then as the archive grows, but at most once a second', async () => {
  const { bridge, time, app } = await started();
  const requests = (): number => bridge.requests.filter((one) => one.name === 'stats.daily').length;
  const stored = (count: number): void => {
    const orders = { completedAt: null };
    flushSync(() => (app.tradeSync.status = { stored: count, orders } as never));
  };

  const past = new Past(app);
  const end = $effect.root(() => {
    $effect(() => past.follow());
  });
  flushSync();
  expect(requests()).toBe(1);
  for (let count = 500; count <= 5_000; count += 500) {
    stored(count);
    time.pass(50);
  }
  expect(requests()).toBe(1);
  time.pass(500);
  expect(requests()).toBe(2);

  // Another range causes another request.
  flushSync(() => (past.statsRange = 'All'));
  expect(requests()).toBe(3);
  flushSync(() => (past.statsRange = 'MTD'));
  expect(new Date(past.statsFrom ?? 0).toISOString()).toMatch(/-01T00:00:00\.000Z$/);
  expect(past.statsFrom).toBeLessThanOrEqual(time.now());
  expect(requests()).toBe(4);
  end();
  time.pass(120_000);
  expect(requests()).toBe(4);
});

it('has the days before the first sample of the chosen range, not those of a range chosen before', async () => {
  const { bridge, app } = await started();
  const slow = Promise.withResolvers<unknown>();
  const samples = (at: number, count: number) => ({
    points: [{ at }],
    samples: count,
    coins: [],
    moves: [],
  });
  bridge.replies = {
    // Nothing was recorded before the first sample of all, something before that of the last day.
    'equity.samples': (input) => {
      const { from, to } = input as { readonly from: number | null; readonly to: number | null };
      if (to !== null) return samples(0, to < 6 * DAY_MS ? 0 : 1);
      return samples(from ?? 5 * DAY_MS, 1);
    },
    'stats.daily': (input) =>
      (input as { readonly to: number | null }).to === null ? { days: [] } : slow.promise,
    'stats.summary': () => ({ results: [] }),
  };
  const past = new Past(app);
  past.equityRange = 'All';
  const end = $effect.root(() => {
    $effect(() => past.follow());
  });
  flushSync();
  await settled();
  flushSync(() => (past.equityRange = '1D'));
  await settled();
  slow.resolve({ days: [] });
  await settled();
  expect(past.before).toBeNull();
  end();
});
