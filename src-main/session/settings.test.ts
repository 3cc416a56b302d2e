import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src-shared/ipc/default-settings.ts';
import { createSettings, lostText, storedSettingsSchema } from './settings.ts';

const lost: (readonly string[])[] = [];
const schema = storedSettingsSchema((names) => lost.push(names));
function parsed(file: unknown) {
  lost.length = 0;
  return v.parse(schema, structuredClone(file));
}

describe('stored settings', () => {
  it('loads a file of an older version: what it lacks is the default, what it has stays', () => {
    const {
      alerts: _,
      precision: __,
      tax: ___,
      ...before
    } = { ...DEFAULT_SETTINGS, theme: 'light' as const };
    expect(parsed(before)).toEqual({ ...DEFAULT_SETTINGS, theme: 'light' });
  });

  it('reads the keys of an older version under their present names', () => {
    const { checkForUpdates: _, unloadSecretOnLock: __, ...before } = DEFAULT_SETTINGS;
    const stored = { ...before, lookForUpdates: true, lockLetsKeyGo: true };
    expect(parsed(stored)).toEqual({
      ...DEFAULT_SETTINGS,
      checkForUpdates: true,
      unloadSecretOnLock: true,
    });
  });

  it('fills in one missing rule and keeps the others as set', () => {
    const { stale: _, ...rules } = DEFAULT_SETTINGS.alerts.rules;
    const fills = { ...rules.fills, on: false };
    const file = { ...DEFAULT_SETTINGS, alerts: { ...DEFAULT_SETTINGS.alerts, rules: { ...rules, fills } } };
    const read = parsed(file);
    expect(read.alerts.rules).toEqual({ ...DEFAULT_SETTINGS.alerts.rules, fills });
  });

  it.each([null, [], 'text'])('does not take %j for settings', (file) => {
    expect(v.safeParse(schema, file).success).toBe(false);
    expect(v.safeParse(schema, DEFAULT_SETTINGS).success).toBe(true);
  });

  it('loses only the values that cannot be read, such as those of a newer version', () => {
    const columns = ['tradeTime', 'sizeInCoins', 'price', 'averagePrice'];
    const contracts = {
      good: { priceDecimals: 2, quantityDecimals: null, feeRateMaker: null, feeRateTaker: null },
      bad: { priceDecimals: 99, quantityDecimals: 3, feeRateMaker: null, feeRateTaker: null },
    };
    const own = { ...DEFAULT_SETTINGS, zoom: 130, limits: { ...DEFAULT_SETTINGS.limits, notional: '500' } };
    const file = { ...own, theme: 'sepia', limits: { ...own.limits, hourly: '3' }, contracts };
    const read = parsed({ ...file, tradeLog: { columns, filters: [] }, sparklines: true });
    expect(lost).toEqual([
      ['theme', 'contracts.bad.priceDecimals', 'tradeLog.columns.1', 'tradeLog.columns.2'],
    ]);
    expect(read).toEqual({
      ...own,
      contracts: { good: contracts.good },
      tradeLog: { columns: ['tradeTime', 'price'], filters: [] },
    });
  });

  it('gives up what a default does not fit', () => {
    const { rules } = DEFAULT_SETTINGS.alerts;
    // The default of what cannot be read, 10, is below the danger threshold.
    const stored = {
      ...rules,
      'liquidation-danger': { ...rules['liquidation-danger'], threshold: '20' },
      liquidation: { ...rules.liquidation, threshold: 'near' },
    };
    const read = parsed({
      ...DEFAULT_SETTINGS,
      alerts: { ...DEFAULT_SETTINGS.alerts, rules: stored, sound: true },
    });
    expect(read.alerts).toEqual({ ...DEFAULT_SETTINGS.alerts, sound: true });
    expect(lost).toEqual([['alerts.rules.liquidation.threshold']]);
  });

  it('names the settings that were lost, five at most', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    expect(lostText(names, 'copy')[0]).toBe(
      'Settings that cannot be read have their defaults: a, b, c, d, e and 2 others.',
    );
    expect(lostText(['theme'], 'settings.json.damaged-1')).toEqual([
      'Settings that cannot be read have their defaults: theme.',
      'Trading is locked. Check Settings before you unlock it. The file as it was is settings.json.damaged-1 in the profile folder.',
    ]);
  });
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
