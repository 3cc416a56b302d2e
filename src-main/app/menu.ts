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

export function setMenu({ development, ask, zoom, showLogs, quit }: MenuPorts): void {
  const mac = process.platform === 'darwin';
  const item = (label: string, action: MenuAction, accelerator?: string): MenuItemConstructorOptions => ({
    id: action,
    label,
    ...(accelerator === undefined ? {} : { accelerator }),
    click: () => ask(action),
  });
  const zooms = (label: string, step: ZoomStep, accelerator: string): MenuItemConstructorOptions => ({
    id: `zoom-${step}`,
    label,
    accelerator,
    click: () => zoom(step),
  });
  // Not the role: it would answer the question that quitting may ask.
  const quits: MenuItemConstructorOptions = {
    id: 'quit',
    label: mac ? 'Quit Ballast' : 'Quit',
    accelerator: 'CmdOrCtrl+Q',
    click: () => quit(),
  };
  const template: MenuItemConstructorOptions[] = [
    ...(mac ? [appMenu(quits)] : []),
    {
      label: '&File',
      submenu: [item('Settings…', 'settings'), separator, mac ? { role: 'close' } : quits],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        item('Search or run a command…', 'palette', 'CmdOrCtrl+K'),
        item('Go to the ticket, or hide it', 'ticket', 'F2'),
        item('Hide or show amounts', 'privacy', 'CmdOrCtrl+Shift+H'),
        separator,
        zooms('Actual size', 'reset', 'CmdOrCtrl+0'),
        zooms('Zoom in', 'in', 'CmdOrCtrl+Plus'),
        zooms('Zoom out', 'out', 'CmdOrCtrl+-'),
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

/** The app's own menu of macOS, as Electron's default, but for quitting. */
const appMenu = (quits: MenuItemConstructorOptions): MenuItemConstructorOptions => ({
  role: 'appMenu',
  submenu: [
    { role: 'about' },
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
