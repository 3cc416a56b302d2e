/** Holds the user's settings in memory and on disk. */
import * as v from 'valibot';
import { counted } from '../../src-shared/domain/display/counted.ts';
import { zoneNamed } from '../../src-shared/domain/display/zoned-time.ts';
import { isUnknownKey, keysOf, leaveOut } from '../../src-shared/checked-json.ts';
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

/**
 * Returns the settings of a file, with the defaults of what cannot be read, as a value of a newer version. `lost` gets
 * the names of those; an item of a list is only left out of it.
 */
function readable(
  stored: Readonly<Record<string, unknown>>,
  lost: (names: readonly string[]) => void,
): Settings {
  const names = new Set<string>();
  let value = stored;
  for (;;) {
    const parsed = v.safeParse(settingsSchema, filled(value, DEFAULT_SETTINGS));
    if (parsed.success) {
      if (names.size > 0) lost([...names]);
      return parsed.output;
    }
    const [issue] = parsed.issues;
    const path = keysOf(issue);
    if (!isUnknownKey(issue)) names.add(path.join('.'));
    // Where the default does not fit what is beside it, that is left out, too.
    while (path.length > 0 && !leaveOut(value, path)) path.pop();
    if (path.length === 0) value = {};
  }
}

/**
 * Parses a settings file of this or an older version.
 * @param lost called with the names of settings that cannot be read
 */
export const storedSettingsSchema = (lost: (names: readonly string[]) => void) =>
  v.pipe(
    v.custom<Record<string, unknown>>(isRecord),
    v.transform((value) => readable(withPresentKeys(value), lost)),
  );

/** Returns the display time zone, an IANA name. */
export const timeZoneOf = ({ timeZone }: Settings): string => zoneNamed(timeZone);

/**
 * Says which settings have their defaults since they cannot be read.
 * @param copy name of the file that keeps them
 */
export const lostText = (
  names: readonly string[],
  copy: string,
): readonly [message: string, next: string] => {
  const others = names.length - MOST_NAMED;
  const more = others > 0 ? ` and ${counted(others, 'other')}` : '';
  return [
    `Settings that cannot be read have their defaults: ${names.slice(0, MOST_NAMED).join(', ')}${more}.`,
    `Trading is locked. Check Settings before you unlock it. The file as it was is ${copy} in the profile folder.`,
  ];
};
const MOST_NAMED = 5;

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
