import { beforeEach, expect, it, vi } from 'vitest';
import type { MenuItemConstructorOptions } from 'electron';
import { setMenu } from './menu.ts';

const { menu } = vi.hoisted(() => ({ menu: { template: [] as MenuItemConstructorOptions[] } }));
vi.mock('electron', () => ({
  Menu: {
    buildFromTemplate: (template: MenuItemConstructorOptions[]) => template,
    setApplicationMenu: (template: MenuItemConstructorOptions[]) => void (menu.template = template),
  },
}));

const asked: string[] = [];
beforeEach(() => asked.splice(0));
const set = (platform: NodeJS.Platform): void =>
  setMenu(
    {
      development: false,
      ask: (action) => asked.push(action),
      zoom: (step) => asked.push(step),
      showLogs: () => asked.push('logs'),
      quit: () => asked.push('quit'),
    },
    platform,
  );
/** Returns the entries of the menu at this place. */
const entries = (at: number): readonly MenuItemConstructorOptions[] =>
  menu.template[at]?.submenu as MenuItemConstructorOptions[];

it('has Settings and Quit in the app’s own menu on macOS, with the system’s keys', () => {
  set('darwin');
  expect(menu.template[0]).toMatchObject({ role: 'appMenu' });
  const [settings, quit] = ['settings', 'quit'].map((id) => entries(0).find((one) => one.id === id));
  expect(settings).toMatchObject({ label: 'Settings…', accelerator: 'Cmd+,' });
  expect(quit).toMatchObject({ label: 'Quit Ballast', accelerator: 'CmdOrCtrl+Q' });
  expect(entries(1)).toEqual([{ role: 'close' }]);
});

it.each(['linux', 'win32'] as const)('has them in the File menu on %s', (platform) => {
  set(platform);
  expect(entries(0).map(({ label, accelerator }) => [label, accelerator])).toEqual([
    ['Settings…', undefined],
    [undefined, undefined],
    ['Quit', 'CmdOrCtrl+Q'],
  ]);
});
