/** Holds the user's settings in memory and on disk. */
import * as v from 'valibot';
import { zoneNamed } from '../../src-shared/domain/display/zoned-time.ts';
import { isRecord } from '../../src-shared/exchange-api/fields.ts';
import { DEFAULT_SETTINGS } from '../../src-shared/ipc/default-settings.ts';
import { type Settings, type SettingsPart, settingsSchema } from '../../src-shared/ipc/settings.ts';
import { SerialQueue } from '../../src-shared/serial-queue.ts';
import type { JsonFile } from './json-file.ts';

/** Adds defaults for parts an older version did not write. */
function filled(value: unknown, defaults: unknown): unknown {
  if (value === undefined) return defaults;
  if (!isRecord(value) || !isRecord(defaults)) return value;
  const parts = Object.entries(defaults).map(([key, part]) => [key, filled(value[key], part)] as const);
  return { ...value, ...Object.fromEntries(parts) };
}

/** Keys of earlier versions. */
const FORMER_KEYS: Readonly<Record<string, keyof Settings>> = {
  lookForUpdates: 'checkForUpdates',
  lockLetsKeyGo: 'unloadSecretOnLock',
};
const withPresentKeys = (stored: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(stored).map(([key, value]) => [FORMER_KEYS[key] ?? key, value]));

/** Parses a settings file of this or an older version. */
export const storedSettingsSchema = v.pipe(
  v.unknown(),
  v.transform((value) => (isRecord(value) ? filled(withPresentKeys(value), DEFAULT_SETTINGS) : value)),
  settingsSchema,
);

/** Returns the display time zone, an IANA name. */
export const timeZoneOf = ({ timeZone }: Settings): string => zoneNamed(timeZone);

export async function createSettings(file: JsonFile<Settings>, changed: (next: Settings) => void) {
  let current = await file.read();
  const changes = new SerialQueue();
  /**
   * Changes run one after another, each from what the one before left. Rejects if they cannot be written; then nothing has
   * changed, except that amounts to be hidden are hidden until Ballast quits.
   */
  const change = (next: (now: Settings) => Settings): Promise<void> =>
    changes.run(async () => {
      const value = next(current);
      const use = (used: Settings): void => changed((current = used));
      try {
        await file.write(value);
      } catch (error) {
        if (value.privacy && !current.privacy) use({ ...current, privacy: true });
        throw error;
      }
      use(value);
    });
  return {
    get: () => current,
    change,
    /** Changes the given settings. */
    set: (part: SettingsPart): Promise<void> => change((now) => v.parse(settingsSchema, { ...now, ...part })),
  };
}
