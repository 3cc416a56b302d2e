/**
 * Reads and writes the profile's small JSON files. A damaged one is moved aside and the user notified; where a newer
 * version of Ballast wrote one, this one does not start.
 */
import { join } from 'node:path';
import type * as v from 'valibot';
import { readTextIfPresent } from '../../src-files/text-file.ts';
import { jsonFile, type JsonFile } from '../session/json-file.ts';
import { isRecord } from '../../src-shared/exchange-api/fields.ts';
import { parseJsonOrNull } from '../../src-shared/json.ts';
import type { Clock } from '../../src-shared/time.ts';

interface Deps {
  readonly clock: Clock;
  readonly notify: (message: string, next: string, stays: boolean) => void;
  /** Called when limits are lost: trading has to be locked. */
  readonly limitsLost: () => void;
}

/** Files without which nothing changes for the user: their notice leaves by itself, the others stay until dismissed. */
const MINOR: ReadonlySet<string> = new Set(['accounts.json', 'window.json']);

/** Files with limits of trading. */
const LIMITS: ReadonlySet<string> = new Set(['settings.json', 'day-limits.json']);

/** What is lost with each file, as text for the notice. */
const LOST = {
  'settings.json': [
    'The settings',
    'All settings were reset, and trading is locked. Check Settings › Trading safety before you unlock it.',
  ],
  'connections.json': [
    'The list of connections',
    'Add the connections again. Their archives, with your notes, are in the profile’s archive folder: restore them in Settings › Data.',
  ],
  'secrets-index.json': ['The list of stored secrets', 'You may have to enter API secrets again.'],
  'accounts.json': ['The last known figures', 'They are read from the exchange again.'],
  'webhooks.json': [
    'The list of webhooks',
    'No alert is sent to a webhook. Add the webhooks again in Settings › When away.',
  ],
  'backups.json': ['The schedule of backups', 'Backups are off. Set them up again in Settings › Data.'],
  'day-limits.json': [
    'The daily limits',
    'No daily limit applies, and trading is locked. Set the limits again in Settings › Trading safety.',
  ],
  'exports.json': [
    'The schedule of exports',
    'Scheduled exports are off. Set them up again in Settings › Data.',
  ],
  'window.json': ['The window position', 'The window opens at its default size.'],
} as const;

/** The `version` of these files; one that is readable by this version of Ballast has no higher one. */
const VERSION = 1;

/** A newer version of Ballast wrote the file at `path`. */
export class NewerFile extends Error {
  override readonly name = 'NewerFile';
  readonly path: string;
  constructor(path: string) {
    super(`${path} is of a newer version`);
    this.path = path;
  }
}

/** Rejects with NewerFile before anything is changed: a reader would take the file for damaged, and replace it. */
export async function assertNoNewerFile(profile: string): Promise<void> {
  const names = Object.keys(LOST).filter((one) => !MINOR.has(one));
  await Promise.all(names.map((name) => assertNotNewer(join(profile, name))));
}

async function assertNotNewer(path: string): Promise<void> {
  // What cannot be read is reported by its reader.
  const text = await readTextIfPresent(path).catch(() => null);
  const value = text === null ? null : parseJsonOrNull(text);
  const version = isRecord(value) ? value['version'] : null;
  if (typeof version === 'number' && version > VERSION) throw new NewerFile(path);
}

export const profileFiles =
  (profile: (name: string) => string, { clock, notify, limitsLost }: Deps) =>
  <S extends v.GenericSchema>(
    name: keyof typeof LOST,
    schema: S,
    fallback: v.InferOutput<S>,
  ): JsonFile<v.InferOutput<S>> => {
    const [what, next] = LOST[name];
    return jsonFile(profile(name), schema, fallback, clock, (movedTo) => {
      if (LIMITS.has(name)) limitsLost();
      notify(`${what} could not be read. The file was moved to ${movedTo}.`, next, !MINOR.has(name));
    });
  };
