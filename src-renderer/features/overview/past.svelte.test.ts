import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import { AppState } from '../../state/app/app-state.svelte.ts';
import { DeferredState } from '../../state/app/deferred-state.svelte.ts';
import { FakeBridge, FakeTime } from '../../../tests/renderer/fake-bridge.ts';
import { Past } from './past.svelte.ts';

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

it('requests at once, then as the archive grows, but at most once a second', async () => {
  // Idle at once, since only the frequency is tested.
  vi.stubGlobal('requestIdleCallback', (run: () => void) => (run(), 0));
  vi.stubGlobal('cancelIdleCallback', () => {});
  const bridge = new FakeBridge();
  const time = new FakeTime();
  const app = new AppState(bridge, time, () => Promise.resolve(DeferredState));
  app.start();
  await settled();
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
