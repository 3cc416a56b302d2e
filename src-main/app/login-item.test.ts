import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { LoginItem, type LoginPorts } from './login-item.ts';

type Reported = ReturnType<LoginPorts['app']['getLoginItemSettings']>;
const REPORTED: Reported = {
  openAtLogin: false,
  wasOpenedAtLogin: false,
  status: 'not-registered',
  executableWillLaunchAtLogin: false,
  launchItems: [],
};

function setUp(ports: Partial<LoginPorts> = {}, reported: Partial<Reported> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'login-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const calls: unknown[] = [];
  const app: LoginPorts['app'] = {
    isPackaged: true,
    getLoginItemSettings: () => ({ ...REPORTED, ...reported }),
    setLoginItemSettings: (settings) => void calls.push(settings),
  };
  const item = new LoginItem({
    ...{ app, platform: 'linux', execPath: '/opt/Ballast/ballast', env: {}, home },
    ...ports,
  });
  return { item, app, calls, home, entry: join(home, '.config', 'autostart', 'ballast.desktop') };
}

it('is an autostart entry on Linux, written and removed', async () => {
  const { item, calls, entry } = setUp();
  expect(await item.state()).toEqual({ state: 'off', note: '' });
  await item.set(true);
  expect(readFileSync(entry, 'utf8')).toBe(
    '[Desktop Entry]\nType=Application\nName=Ballast\nComment=Started at login, as set in Ballast’s settings\n' +
      'Exec="/opt/Ballast/ballast"\nTerminal=false\n',
  );
  expect(await item.state()).toEqual({ state: 'on', note: '' });
  await item.set(false);
  expect(await item.state()).toEqual({ state: 'off', note: '' });
  await item.set(false);
  expect(calls).toEqual([]);
});

it('starts an AppImage by its file, and never that of another program', async () => {
  const own = { APPIMAGE: '/home/u/My Apps/100% "Ballast" $x\\.AppImage', APPDIR: '/tmp/.mount_1' };
  const { item, entry } = setUp({ env: own, execPath: '/tmp/.mount_1/ballast' });
  await item.set(true);
  expect(readFileSync(entry, 'utf8')).toContain(
    'Exec="/home/u/My Apps/100%% \\\\"Ballast\\\\" \\\\$x\\\\\\\\.AppImage"\n',
  );
  expect(await item.state()).toEqual({ state: 'on', note: '' });
  const foreign = setUp({ env: { APPIMAGE: '/home/u/Terminal.AppImage', APPDIR: '/tmp/.mount_2' } });
  await foreign.item.set(true);
  expect(readFileSync(foreign.entry, 'utf8')).toContain('Exec="/opt/Ballast/ballast"\n');
});

it('names an entry that starts something else, and takes one that is hidden as off', async () => {
  const { item, entry } = setUp();
  await item.set(true);
  writeFileSync(entry, '[Desktop Entry]\nExec="/old/Ballast.AppImage"\n');
  expect(await item.state()).toMatchObject({ state: 'on', note: expect.stringContaining('/old/') as string });
  writeFileSync(entry, '[Desktop Entry]\nExec="/opt/Ballast/ballast"\nHidden=true\n');
  expect((await item.state()).state).toBe('off');
});

it('uses the folder of the desktop’s configuration', async () => {
  const { item, home } = setUp();
  const other = new LoginItem({
    ...{ app: setUp().app, platform: 'linux', execPath: '/opt/b', home: '/nowhere' },
    env: { XDG_CONFIG_HOME: join(home, 'xdg') },
  });
  await other.set(true);
  expect(readFileSync(join(home, 'xdg', 'autostart', 'ballast.desktop'), 'utf8')).toContain('/opt/b');
  expect((await item.state()).state).toBe('off');
});

it.each(['darwin', 'win32'] as const)('is the system’s own setting on %s', async (platform) => {
  const { item, calls } = setUp({ platform });
  expect(await item.state()).toEqual({ state: 'off', note: '' });
  await item.set(true);
  await item.set(false);
  expect(calls).toEqual([{ openAtLogin: true }, { openAtLogin: false }]);
  const on = setUp({ platform }, { openAtLogin: true, executableWillLaunchAtLogin: true, status: 'enabled' });
  expect(await on.item.state()).toEqual({ state: 'on', note: '' });
});

it('says when the system holds it back', async () => {
  const mac = setUp({ platform: 'darwin' }, { status: 'requires-approval' });
  expect(await mac.item.state()).toMatchObject({
    state: 'on',
    note: expect.stringMatching(/macOS/) as string,
  });
  const windows = setUp({ platform: 'win32' }, { openAtLogin: true });
  expect(await windows.item.state()).toMatchObject({
    state: 'on',
    note: expect.stringMatching(/Windows/) as string,
  });
});

it('finds its own entry on Windows, where Electron reads a path as a command line', async () => {
  const execPath = 'C:\\Program Files\\Ballast\\Ballast.exe';
  const programOf = (line: string): string | undefined =>
    /^"[^"]*"|^[^ ]*/.exec(line)?.[0].replaceAll('"', '');
  const { app } = setUp();
  const { item } = setUp({
    ...{ platform: 'win32', execPath },
    app: {
      ...app,
      getLoginItemSettings: ({ path = execPath } = {}) => ({
        ...REPORTED,
        openAtLogin: true,
        executableWillLaunchAtLogin: programOf(path) === execPath,
      }),
    },
  });
  expect(await item.state()).toEqual({ state: 'on', note: '' });
});

it('is unavailable from a development build', async () => {
  const { app } = setUp();
  const { item, calls, home } = setUp({ app: { ...app, isPackaged: false } });
  expect(await item.state()).toMatchObject({ state: 'unavailable' });
  await item.set(true);
  expect([calls, readdirSync(home)]).toEqual([[], []]);
});
