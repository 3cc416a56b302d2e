/** Profiles to back up in tests: archives, journal, settings, connections, alerts, and what no backup may hold. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DEFAULT_SETTINGS } from '../../src-shared/ipc/default-settings.ts';
import { openArchive } from '../../src-main/archive/archive.ts';
import { START, trades } from '../archive/trade-number.ts';
import { connectionSettings } from '../session/connection-settings.ts';
import { dataOf } from '../shared/data-of.ts';

export const ID = 'live-one';
/** Stands for every secret: nothing of it may be in a backup. */
export const NEEDLE = 'n33dle-of-a-secret';

export const connections = (ids: readonly string[], baseUrl = 'https://api.meridian.example') => ({
  version: 1,
  activeId: ids[0] ?? 'practice',
  connections: ids.map((id) => ({
    id,
    settings: connectionSettings({ name: `Account ${id}`, baseUrl }),
    proven: true,
    createdAt: START,
  })),
});

export const WEBHOOK = {
  id: 'webhook-one',
  settings: { name: 'Phone', service: 'telegram', chat: '1', on: true, alerts: 'all', amounts: true },
};

export function put(profile: string, name: string, text: string): void {
  mkdirSync(dirname(join(profile, name)), { recursive: true });
  writeFileSync(join(profile, name), text);
}

/** One journal line of an intent. Its content does not matter here. */
export const line = (intent: string): string => `${JSON.stringify({ v: 1, intent, event: 'record' })}\n`;

/** Fills a profile; `stored` is the number of trades in its archive. */
export async function fillProfile(profile: string, stored = 300): Promise<void> {
  put(profile, 'settings.json', JSON.stringify({ ...DEFAULT_SETTINGS, theme: 'light' }));
  put(profile, 'connections.json', JSON.stringify(connections([ID])));
  put(profile, 'webhooks.json', JSON.stringify({ version: 1, webhooks: [WEBHOOK] }));
  put(profile, 'orders.jsonl', line('a') + line('b'));
  put(profile, `alerts/${ID}.jsonl`, `${JSON.stringify({ acknowledged: ['x'], at: 1 })}\n`);
  for (const name of [
    'secrets-index.json',
    'window.json',
    'backups.json',
    'logs/ballast.log',
    'practice/state.json',
    'alerts/practice-1.jsonl',
    'archive/practice-1.sqlite',
    `archive/${ID}.sqlite.damaged-1`,
    'archive/../stray.json',
    'Local Storage/leveldb/LOG',
  ])
    put(profile, name, NEEDLE);
  const opened = dataOf(
    await openArchive({
      file: join(profile, 'archive', `${ID}.sqlite`),
      connectionId: ID,
      clock: { now: () => START },
    }),
  );
  dataOf(await opened.insertTrades(trades(0, stored), null));
  await opened.close();
}

/** Every file of a folder with its content, by name. */
export const contentOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'base64')]),
  );
