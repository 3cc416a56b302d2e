import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { APP_ID, identifyToWindows, profileFolder, windowIcon } from './app-identity.ts';

const usual = { appData: join('/home', 'u', '.config'), switched: false };

describe('the profile', () => {
  it('is in the folder of Ballast, whatever the app is called', () => {
    expect(profileFolder(undefined, usual)).toBe(join('/home', 'u', '.config', 'ballast'));
    expect(profileFolder('', usual)).toBe(join('/home', 'u', '.config', 'ballast'));
  });
  it('is where it was named, a relative one below the folder of the start', () => {
    expect(profileFolder(join('/data', 'p'), usual)).toBe(join('/data', 'p'));
    expect(profileFolder('./p', { ...usual, switched: true })).toBe(resolve('p'));
  });
  it('is left to Electron’s own switch', () => {
    expect(profileFolder(undefined, { ...usual, switched: true })).toBeNull();
  });
});

it('the window brings a picture that is there on Linux, and only there', () => {
  const app = { getAppPath: () => join(import.meta.dirname, '..', '..') };
  expect(existsSync(windowIcon(app, 'linux') ?? '')).toBe(true);
  expect([windowIcon(app, 'darwin'), windowIcon(app, 'win32')]).toEqual([null, null]);
});

describe('Windows', () => {
  const calls = (isPackaged: boolean, platform: NodeJS.Platform): string[] => {
    const made: string[] = [];
    identifyToWindows(
      {
        isPackaged,
        setAppUserModelId: (id) => void made.push(`id ${id}`),
        setToastActivatorCLSID: (id) => void made.push(`activator ${id}`),
      },
      platform,
    );
    return made;
  };
  it('knows the installed app by the id of its shortcuts', () => {
    expect(calls(true, 'win32')).toEqual([
      `id ${APP_ID}`,
      expect.stringMatching(/^activator \{[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}\}$/),
    ]);
  });
  it('does not take a build of the sources for it', () => {
    expect(calls(false, 'win32')).toEqual([`id ${APP_ID}.development`]);
  });
  it('alone needs that', () => {
    expect([calls(true, 'darwin'), calls(true, 'linux')]).toEqual([[], []]);
  });
});
