import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src-shared/ipc/default-settings.ts';
import { createSettings, storedSettingsSchema } from './settings.ts';

describe('stored settings', () => {
  it('loads a file of an older version: what it lacks is the default, what it has stays', () => {
    const {
      alerts: _,
      precision: __,
      tax: ___,
      ...before
    } = { ...DEFAULT_SETTINGS, theme: 'light' as const };
    expect(v.parse(storedSettingsSchema, before)).toEqual({ ...DEFAULT_SETTINGS, theme: 'light' });
  });

  it('reads the keys of an older version under their present names', () => {
    const { checkForUpdates: _, unloadSecretOnLock: __, ...before } = DEFAULT_SETTINGS;
    const stored = { ...before, lookForUpdates: true, lockLetsKeyGo: true };
    expect(v.parse(storedSettingsSchema, stored)).toEqual({
      ...DEFAULT_SETTINGS,
      checkForUpdates: true,
      unloadSecretOnLock: true,
    });
  });

  it('fills in one missing rule and keeps the others as set', () => {
    const { stale: _, ...rules } = DEFAULT_SETTINGS.alerts.rules;
    const fills = { ...rules.fills, on: false };
    const file = { ...DEFAULT_SETTINGS, alerts: { ...DEFAULT_SETTINGS.alerts, rules: { ...rules, fills } } };
    const read = v.parse(storedSettingsSchema, file);
    expect(read.alerts.rules).toEqual({ ...DEFAULT_SETTINGS.alerts.rules, fills });
  });

  it.each([null, [], 'text', { ...DEFAULT_SETTINGS, theme: 'pink' }])(
    'does not take %j for settings',
    (file) => {
      expect(v.safeParse(storedSettingsSchema, file).success).toBe(false);
    },
  );
});

it('loses no change made while one before is being written to a slow disk', async () => {
  const disk = Promise.withResolvers<undefined>();
  const file = { read: () => Promise.resolve(DEFAULT_SETTINGS), write: () => disk.promise };
  const settings = await createSettings(file, () => undefined);
  const changes = [
    settings.set({ theme: 'light' }),
    settings.change((now) => ({ ...now, zoom: now.zoom + 10 })),
    settings.change((now) => ({ ...now, zoom: now.zoom + 10 })),
    // The window has not seen the zoom yet.
    settings.set({ privacy: true }),
  ];
  disk.resolve(undefined);
  await Promise.all(changes);
  const zoom = DEFAULT_SETTINGS.zoom + 20;
  expect(settings.get()).toEqual({ ...DEFAULT_SETTINGS, theme: 'light', zoom, privacy: true });
});

it('hides amounts also where that cannot be saved, and changes nothing else then', async () => {
  const pushed: boolean[] = [];
  const full = {
    read: () => Promise.resolve(DEFAULT_SETTINGS),
    write: () => Promise.reject(new Error('full')),
  };
  const settings = await createSettings(full, ({ privacy }) => pushed.push(privacy));
  await expect(settings.set({ ...DEFAULT_SETTINGS, privacy: true, theme: 'light' })).rejects.toThrow('full');
  expect([settings.get(), pushed]).toEqual([{ ...DEFAULT_SETTINGS, privacy: true }, [true]]);
  await expect(settings.set({ ...DEFAULT_SETTINGS, privacy: false })).rejects.toThrow('full');
  expect(settings.get().privacy).toBe(true);
});
