import { beforeEach, describe, expect, it, vi } from 'vitest';
import { missingToBuild, missingToRun, usefulAlong, type Machine } from './packages.mjs';
import { SetupError } from './messages.mjs';

/** A new Debian without a display, on which Electron's binary is available; `has` are its packages. */
const machine = (more: Partial<Machine> = {}, has: readonly string[] = []): Machine => ({
  platform: 'linux',
  dpkg: true,
  distribution: 'debian',
  electron: true,
  display: false,
  chromium: false,
  library: () => true,
  installed: (name) => has.includes(name),
  ...more,
});
const desktop = { display: true };
const cut = { electron: false };

beforeEach(() => vi.stubEnv('BALLAST_SKIP_PACKAGES', ''));

const START = { window: true };
const TEST = { window: true, tests: true, packed: true, display: true };

describe('packages that running lacks', () => {
  it('are none where Electron is installed and has a display', () => {
    expect(missingToRun(START, machine(desktop))).toEqual([]);
    expect(missingToRun({}, machine(cut))).toEqual([]);
  });

  it('are a virtual display where there is none, and the libraries a system without a desktop lacks', () => {
    expect(missingToRun(START, machine())).toEqual(['xvfb', 'xauth']);
    const library = (name: string): boolean => name !== 'libasound.so.2' && name !== 'libnss3.so';
    expect(missingToRun(START, machine({ ...desktop, library }))).toEqual([
      'libnss3',
      'libasound2t64|libasound2',
    ]);
  });

  it('are Chromium only where neither Electron nor Chromium is installed', () => {
    expect(missingToRun(START, machine(cut))).toEqual(['chromium']);
    expect(missingToRun(START, machine({ ...cut, chromium: true }))).toEqual([]);
  });

  it('describe the alternative on Ubuntu, whose package of Chromium is a snap', () => {
    const ubuntu = { distribution: 'ubuntu' };
    expect(missingToRun(START, machine({ ...ubuntu, ...desktop }))).toEqual([]);
    let fault: unknown;
    try {
      missingToRun(START, machine({ ...ubuntu, ...cut }));
    } catch (error) {
      fault = error;
    }
    expect(fault).toBeInstanceOf(SetupError);
    expect(fault).toMatchObject({
      message: expect.stringContaining('snap') as string,
      advice: expect.stringMatching(/github\.com[^]*Chrome[^]*BALLAST_STANDIN_CHROMIUM/) as string,
    });
  });

  it('of the tests are a keyring and the programs of a virtual display', () => {
    const display = [
      'openbox',
      'xdotool',
      'x11-utils',
      'xclip',
      'zenity',
      'imagemagick',
      'dunst',
      'libnotify-bin',
    ];
    const wanted = ['dbus', 'gnome-keyring', 'xvfb', 'xauth', ...display];
    expect(missingToRun(TEST, machine(cut))).toEqual(['chromium', ...wanted]);
    expect(missingToRun(TEST, machine(desktop))).toEqual(wanted);
    expect(missingToRun({ window: true, tests: true }, machine(desktop))).toEqual(['dbus', 'gnome-keyring']);
    // Without a display the packed app runs on the stand-in.
    expect(missingToRun(TEST, machine({}, wanted))).toEqual(['chromium']);
  });

  it('never include optional ones, which are installed along for tests on the stand-in', () => {
    expect(missingToRun(TEST, machine(cut))).not.toContain('chromium-headless-shell');
    expect(usefulAlong(TEST, machine(cut))).toEqual(['chromium-headless-shell']);
    for (const [needs, on] of [
      [START, machine(cut)],
      [TEST, machine()],
      [TEST, machine(cut, ['chromium-headless-shell'])],
      [TEST, machine({ ...cut, platform: 'darwin' })],
    ] as const)
      expect(usefulAlong(needs, on)).toEqual([]);
  });

  it('are none once installed, on other systems, or where the user installed them otherwise', () => {
    const everything = { installed: () => true, chromium: true };
    expect(missingToRun(TEST, machine({ ...cut, ...everything }))).toEqual([]);
    for (const other of [{ platform: 'darwin' }, { platform: 'win32' }, { dpkg: false }] as const) {
      expect(missingToRun(TEST, machine(other))).toEqual([]);
      expect(missingToBuild(machine(other))).toEqual([]);
    }
    vi.stubEnv('BALLAST_SKIP_PACKAGES', '1');
    expect([missingToRun(TEST, machine(cut)), missingToBuild(machine())]).toEqual([[], []]);
  });
});

it('of building are a compiler and libsecret only', () => {
  expect(missingToBuild(machine({}, ['make']))).toEqual(['python3', 'g++', 'libsecret-1-dev']);
});
