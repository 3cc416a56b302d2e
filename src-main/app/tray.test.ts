import { EventEmitter } from 'node:events';
import { basename } from 'node:path';
import { setImmediate as setImmediatePromise } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { MenuItemConstructorOptions } from 'electron';
import { TrayIcon } from './tray.ts';

/** Creates a tray on a system that shows it or refuses. */
function setUp({
  refuses = false,
  platform = 'linux',
}: { refuses?: boolean; platform?: NodeJS.Platform } = {}) {
  const happened: string[] = [];
  let menu: MenuItemConstructorOptions[] = [];
  class FakeTray {
    constructor(image: string) {
      if (refuses) throw new Error('no tray');
      happened.push(`new ${basename(image)}`);
    }
    setImage(image: string): void {
      happened.push(basename(image));
    }
    setToolTip(text: string): void {
      happened.push(text);
    }
    setContextMenu(): void {
      // The menu is recorded when it is built.
    }
    on(event: string): void {
      happened.push(`on ${event}`);
    }
    destroy(): void {
      happened.push('destroyed');
    }
  }
  const tray = new TrayIcon(FakeTray, {
    menu(template) {
      menu = template;
      return {} as never;
    },
    icons: '/icons',
    platform,
    show: () => happened.push('show'),
    quit: () => happened.push('quit'),
    firstHidden: () => happened.push('first hidden'),
  });
  const click = (id: string): void => {
    const click = menu.find((one) => one.id === id)?.click;
    click?.(undefined as never, undefined, undefined as never);
  };
  return { tray, happened, click, menu: () => menu.map((one) => one.label) };
}
function window(happened: string[], isFullScreen = false) {
  const events = new EventEmitter();
  return {
    hide: () => void happened.push('window hidden'),
    minimize: () => void happened.push('window minimised'),
    isFullScreen: () => isFullScreen,
    setFullScreen(on: boolean) {
      happened.push(`full screen ${on}`);
      setImmediate(() => {
        isFullScreen = on;
        events.emit('leave-full-screen');
      });
    },
    once: (event: string, listener: () => void) => events.once(event, listener),
  };
}

it('shows the worst state by icon, text and menu, once per change', () => {
  const { tray, happened, menu, click } = setUp();
  tray.update({ level: 'ok', text: 'No active alerts' });
  expect([happened, tray.status()]).toEqual([[], 'off']);
  tray.set(true);
  tray.set(true);
  expect(happened).toEqual(['new ok.png', 'on click', 'ok.png', 'Ballast: No active alerts']);
  happened.length = 0;
  const worse = { level: 'critical', text: 'A critical alert to acknowledge' } as const;
  tray.update(worse);
  tray.update({ ...worse });
  expect(happened).toEqual(['critical.png', 'Ballast: A critical alert to acknowledge']);
  expect(menu()).toEqual([
    'Show Ballast',
    undefined,
    'A critical alert to acknowledge',
    undefined,
    'Quit Ballast',
  ]);
  happened.length = 0;
  click('show');
  click('quit');
  tray.set(false);
  expect([happened, tray.status()]).toEqual([['show', 'quit', 'destroyed'], 'off']);
});

it('claims no more than the system says', () => {
  for (const [platform, status] of [
    ['linux', 'unsure'],
    ['win32', 'shown'],
    ['darwin', 'shown'],
  ] as const) {
    const { tray } = setUp({ platform });
    tray.set(true);
    expect(tray.status(), platform).toBe(status);
  }
});

it('hides the window, and says so the first time', () => {
  const { tray, happened } = setUp();
  tray.set(true);
  happened.length = 0;
  tray.hide(window(happened));
  tray.hide(window(happened));
  expect(happened).toEqual(['window hidden', 'first hidden', 'window hidden']);
});

it('leaves full screen before it hides the window on macOS, where that would stay black', async () => {
  for (const [platform, expected] of [
    ['darwin', ['full screen false', 'window hidden', 'first hidden']],
    ['win32', ['window hidden', 'first hidden']],
  ] as const) {
    const { tray, happened } = setUp({ platform });
    tray.set(true);
    happened.length = 0;
    tray.hide(window(happened, true));
    await setImmediatePromise();
    expect(happened, platform).toEqual(expected);
  }
});

it('minimises where there is no tray, since a hidden window could not be found again', () => {
  const { tray, happened } = setUp({ refuses: true });
  tray.set(true);
  expect(tray.status()).toBe('failed');
  tray.hide(window(happened));
  expect(happened).toEqual(['window minimised']);
  tray.set(false);
  expect(tray.status()).toBe('off');
});
