/**
 * Stages a backup for a restore: verifies and unpacks it into the profile's restore folder, then validates every file as
 * its own reader would. Nothing of the profile changes before `place.ts` runs at the next start.
 */
import { mkdirSync, readFileSync, statfsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type * as v from 'valibot';
import { replaceFileSync } from '../../src-files/atomic-file.ts';
import { readIfPresent } from '../../src-files/text-file.ts';
import { checkedJson } from '../../src-shared/checked-json.ts';
import type { RestoreSummary } from '../../src-shared/ipc/backup.ts';
import { storedSettingsSchema } from '../session/settings.ts';
import { examine } from '../archive/maintenance/restore.ts';
import { ArchiveFault } from '../archive/sqlite/errors.ts';
import { storedDayLimitsSchema } from '../orders/day/stored.ts';
import { replay } from '../orders/journal/replay.ts';
import { storedSessionSchema, type StoredSession } from '../session/stored.ts';
import { storedWebhooksSchema, type StoredWebhooks } from '../webhooks/stored.ts';
import { isArchive, JOURNAL, ownerOf } from './contents.ts';
import { BackupFault } from './fault.ts';
import type { Manifest } from './manifest.ts';
import { discardRestoreSync, stagedFolder } from './place.ts';
import { readBackup } from './read.ts';

export interface StageRequest {
  readonly profile: string;
  /** The chosen file. */
  readonly path: string;
}

export interface Staged {
  readonly summary: RestoreSummary;
  readonly connections: StoredSession['connections'];
}

/** Returns what was staged. Rejects with BackupFault, ArchiveFault or the system's error, and stages nothing. */
export async function stageBackup(
  { profile, path }: StageRequest,
  progress: (percent: number) => void,
): Promise<Staged> {
  const into = stagedFolder(profile);
  discardRestoreSync(profile);
  mkdirSync(into, { recursive: true, mode: 0o700 });
  try {
    const accept = (manifest: Manifest): void => assertSpace(profile, manifest);
    const manifest = await readBackup(path, { into, accept, progress: (percent) => progress(percent * 0.8) });
    const staged = await validate(into, manifest, basename(path));
    progress(100);
    return staged;
  } catch (error) {
    discardRestoreSync(profile);
    throw error;
  }
}

function assertSpace(profile: string, { files }: Manifest): void {
  const { bavail, bsize } = statfsSync(profile);
  if (files.reduce((sum, { bytes }) => sum + bytes, 0) > bavail * bsize)
    throw new BackupFault(
      'The disk of the profile folder has too little free space for this backup.',
      'Free up space, then restore again. Nothing was changed.',
    );
}

async function validate(
  into: string,
  { createdAt, version, files }: Manifest,
  file: string,
): Promise<Staged> {
  const has = (name: string): boolean => files.some((one) => one.name === name);
  const textOf = (name: string): string => readFileSync(join(into, name), 'utf8');
  // What of them cannot be read is said at the start with them.
  const settings = storedSettingsSchema(() => undefined);
  if (has('settings.json')) parsed(settings, textOf('settings.json'), 'settings.json');
  const session = has('connections.json')
    ? parsed(storedSessionSchema, textOf('connections.json'), 'connections.json')
    : null;
  if (session !== null) replaceFileSync(join(into, 'connections.json'), asJson(asUntested(session)));
  const stored = has('webhooks.json')
    ? parsed(storedWebhooksSchema, textOf('webhooks.json'), 'webhooks.json')
    : null;
  if (stored !== null) replaceFileSync(join(into, 'webhooks.json'), asJson(switchedOff(stored)));
  if (has('day-limits.json')) parsed(storedDayLimitsSchema, textOf('day-limits.json'), 'day-limits.json');
  let [trades, orders] = [0, 0];
  const archives = files.filter(({ name }) => isArchive(name));
  for (const { name } of archives) {
    const found = examineArchive(into, name);
    trades += found.trades;
    orders += found.orders;
  }
  const journal = await readIfPresent(join(into, JOURNAL));
  const connections = session?.connections ?? [];
  const summary = {
    file,
    createdAt,
    version,
    trades,
    orders,
    archives: archives.length,
    connections: connections.map(({ id, settings: { name, baseUrl } }) => ({ id, name, baseUrl })),
    journal: journal === null ? 0 : replay(journal).entries.size,
    webhooks: stored?.webhooks.length ?? 0,
    alertLogs: files.filter(({ name }) => name.startsWith('alerts/')).length,
    settings: has('settings.json'),
    bytes: files.reduce((sum, one) => sum + one.bytes, 0),
  };
  return { summary, connections };
}

/** Marks each connection as not tested and locked: nothing was read or sent with its settings on this computer yet. */
const asUntested = (session: StoredSession): StoredSession => ({
  ...session,
  connections: session.connections.map((one) => ({ ...one, proven: false, unlocked: false })),
});

/** A forged backup could have a stored token used for another chat, or amounts sent: the user switches each on. */
const switchedOff = (stored: StoredWebhooks): StoredWebhooks => ({
  ...stored,
  webhooks: stored.webhooks.map((one) => ({ ...one, settings: { ...one.settings, on: false } })),
});

const asJson = (value: object): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

function parsed<S extends v.GenericSchema>(schema: S, text: string, name: string): v.InferOutput<S> {
  const found = checkedJson(schema, text);
  if (found !== null) return found;
  throw new BackupFault(
    `Its ${name} is damaged, or a newer version of Ballast wrote it.`,
    'Update Ballast, or choose another backup. Nothing was changed.',
  );
}

function examineArchive(into: string, name: string): { readonly trades: number; readonly orders: number } {
  try {
    return examine(join(into, name), { backup: name, connectionId: ownerOf(name), account: null });
  } catch (error) {
    if (!(error instanceof ArchiveFault)) throw error;
    throw new BackupFault(error.failure.message, 'Choose another backup. Nothing was changed.');
  }
}
