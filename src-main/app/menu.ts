/**
 * Builds the native menu: system roles where they exist, page actions otherwise. The page handles the same keys first,
 * so each key acts once.
 */
import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { MenuAction } from '../../src-shared/ipc/calls-app.ts';
import type { ZoomStep } from '../../src-shared/domain/display/zoom.ts';

export interface MenuPorts {
  readonly development: boolean;
  readonly ask: (action: MenuAction) => void;
  readonly zoom: (step: ZoomStep) => void;
  readonly showLogs: () => void;
  readonly quit: () => void;
}

const separator: MenuItemConstructorOptions = { type: 'separator' };
const ZOOMS: readonly (readonly [label: string, step: ZoomStep, accelerator: string])[] = [
  ['Actual size', 'reset', 'CmdOrCtrl+0'],
  ['Zoom in', 'in', 'CmdOrCtrl+Plus'],
  ['Zoom out', 'out', 'CmdOrCtrl+-'],
];

export function setMenu(
  { development, ask, zoom, showLogs, quit }: MenuPorts,
  platform = process.platform,
): void {
  const mac = platform === 'darwin';
  const item = (label: string, action: MenuAction, accelerator?: string): MenuItemConstructorOptions => ({
    id: action,
    label,
    ...(accelerator === undefined ? {} : { accelerator }),
    click: () => ask(action),
  });
  const zooms = ZOOMS.map(([label, step, accelerator]) => ({
    id: `zoom-${step}`,
    label,
    accelerator,
    click: () => zoom(step),
  }));
  // Not the role: it would answer the question that quitting may ask.
  const quits: MenuItemConstructorOptions = {
    id: 'quit',
    label: mac ? 'Quit Ballast' : 'Quit',
    accelerator: 'CmdOrCtrl+Q',
    click: () => quit(),
  };
  const template: MenuItemConstructorOptions[] = [
    ...(mac ? [appMenu(item('Settings…', 'settings', 'Cmd+,'), quits)] : []),
    {
      label: '&File',
      submenu: mac ? [{ role: 'close' }] : [item('Settings…', 'settings'), separator, quits],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        item('Search or run a command…', 'palette', 'CmdOrCtrl+K'),
        item('Go to the ticket, or hide it', 'ticket', 'F2'),
        item('Hide or show amounts', 'privacy', 'CmdOrCtrl+Shift+H'),
        separator,
        ...zooms,
        separator,
        { role: 'togglefullscreen' },
        ...(development ? [{ role: 'toggleDevTools' } as const] : []),
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      label: '&Help',
      submenu: [
        item('Keyboard shortcuts', 'shortcuts'),
        item('What’s new', 'whats-new'),
        separator,
        { id: 'logs', label: 'Show logs', click: () => showLogs() },
        item('Save diagnostics…', 'diagnostics'),
        separator,
        item('About Ballast', 'about'),
      ],
    },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

/** The app's own menu of macOS, as Electron's default, but for settings and quitting. */
const appMenu = (
  settings: MenuItemConstructorOptions,
  quits: MenuItemConstructorOptions,
): MenuItemConstructorOptions => ({
  role: 'appMenu',
  submenu: [
    { role: 'about' },
    separator,
    settings,
    separator,
    { role: 'services' },
    separator,
    { role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    separator,
    quits,
  ],
});
