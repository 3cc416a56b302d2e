/** Holds the user's settings in memory and on disk. */
import type { Settings } from '../../src-shared/ipc/settings.ts';
import type { JsonFile } from './json-file.ts';

export interface SettingsStore {
  get(): Settings;
  /** Writes the settings. Rejects if they cannot be written; then nothing has changed. */
  set(next: Settings): Promise<void>;
}

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
