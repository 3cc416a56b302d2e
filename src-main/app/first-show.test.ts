import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { isDrawnWhileHidden, showWhenDrawn } from './first-show.ts';

function opened(maximized = false, drawnWhileHidden = true) {
  const did: string[] = [];
  const events = new EventEmitter();
  const page = new EventEmitter();
  const timers = new Map<number, () => void>();
  let destroyed = false;
  const shown = showWhenDrawn(
    {
      once: (event, listener) => events.once(event, listener),
      webContents: { once: (event, listener) => page.once(event, listener) },
      isDestroyed: () => destroyed,
      maximize: () => void did.push('maximize'),
      show: () => void did.push('show'),
    },
    maximized,
    {
      after(ms, run) {
        timers.set(ms, run);
        return () => undefined;
      },
    },
    drawnWhileHidden,
  );
  return {
    did,
    shown,
    drawn: () => events.emit('ready-to-show'),
    loaded: () => page.emit('did-finish-load'),
    passed: (ms: number) => timers.get(ms)?.(),
    closed: () => (destroyed = true),
  };
}

it('a window is shown when its page is drawn, once', async () => {
  const one = opened(true);
  expect(one.did).toEqual([]);
  one.loaded();
  one.drawn();
  one.passed(250);
  one.passed(5_000);
  await one.shown;
  expect(one.did).toEqual(['maximize', 'show']);
});

it('a loaded page that draws nothing while it is hidden, as on Wayland, is shown soon', async () => {
  expect(isDrawnWhileHidden('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toBe(false);
  expect([
    isDrawnWhileHidden('linux', {}),
    isDrawnWhileHidden('darwin', { WAYLAND_DISPLAY: 'wayland-0' }),
  ]).toEqual([true, true]);
  const one = opened(false, false);
  one.loaded();
  one.passed(250);
  await one.shown;
  expect(one.did).toEqual(['show']);
});

it('a window whose page does not load is shown after five seconds', async () => {
  const one = opened();
  one.passed(5_000);
  one.drawn();
  await one.shown;
  expect(one.did).toEqual(['show']);
});

it('a window that was closed meanwhile is left alone', async () => {
  const one = opened();
  one.closed();
  one.passed(5_000);
  await one.shown;
  expect(one.did).toEqual([]);
});
