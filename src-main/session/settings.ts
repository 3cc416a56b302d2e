/** Holds the user's settings in memory and on disk. */
import { systemZone } from '../../src-shared/domain/display/zoned-time.ts';
import type { Settings } from '../../src-shared/ipc/settings.ts';
import type { JsonFile } from './json-file.ts';

export interface SettingsStore {
  get(): Settings;
  /** Writes the settings. Rejects if they cannot be written; then nothing has changed. */
  set(next: Settings): Promise<void>;
}

/** Returns the display time zone, an IANA name. */
export const timeZoneOf = ({ timeZone }: Settings): string =>
  timeZone === 'system' ? systemZone() : timeZone;

export async function createSettings(
  file: JsonFile<Settings>,
  changed: (next: Settings) => void,
): Promise<SettingsStore> {
  let current = await file.read();
  return {
    get: () => current,
    async set(next) {
      await file.write(next);
      current = next;
      changed(next);
    },
  };
}
