import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { create } from 'tar/create';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { partOf } from '../../src-files/atomic-file.ts';
import { temporaryFolder } from '../../tests/archive/trades.ts';
import { connections, fillProfile, ID, NEEDLE, put, WEBHOOK } from '../../tests/backup/profiles.ts';
import { backupName, isBackupName, type Manifest } from './manifest.ts';
import { prune } from './prune.ts';
import { readBackup, readManifest } from './read.ts';
import { stageBackup } from './stage.ts';
import { stagedFolder } from './place.ts';
import { writeBackup } from './write.ts';

const folder = temporaryFolder();
const at = (...names: string[]): string => join(folder.path, ...names);
const profile = at('profile');
const whole = at('whole.tar.gz');
const NOW = Date.parse('2026-11-23T10:18:05.250Z');
const nothing = (): void => undefined;

const write = (path: string, schedule: string | null = null, createdAt = NOW): Promise<Manifest> =>
  writeBackup(
    { profile, scratch: at('work'), path, token: 't', origin: { version: '1.2.3', createdAt, schedule } },
    nothing,
  );

beforeAll(async () => {
  await fillProfile(profile);
  await write(whole);
});
afterAll(() => folder.remove());

const NAMES = [
  'settings.json',
  'connections.json',
  'webhooks.json',
  `alerts/${ID}.jsonl`,
  `archive/${ID}.sqlite`,
  'orders.jsonl',
];

describe('a backup of everything', () => {
  it('holds the listed files and nothing else, no byte of what is left out', async () => {
    const manifest = await readBackup(whole, { into: at('out') });
    expect(manifest).toMatchObject({ version: '1.2.3', createdAt: NOW, schedule: null });
    expect(manifest.files.map(({ name }) => name)).toEqual(NAMES);
    for (const name of ['settings.json', 'connections.json', 'webhooks.json', 'orders.jsonl'])
      expect(readFileSync(at('out', name), 'utf8')).toBe(readFileSync(join(profile, name), 'utf8'));
    expect(gunzipSync(readFileSync(whole)).includes(NEEDLE)).toBe(false);
    expect(existsSync(at('work'))).toBe(false);
  });

  it('is named by its time, and made for its owner alone', async () => {
    expect(backupName(NOW)).toBe('Ballast 2026-11-23 10.18.05Z.tar.gz');
    expect(isBackupName(backupName(NOW))).toBe(true);
    await write(at(backupName(NOW)));
    expect((await readManifest(at(backupName(NOW))))?.createdAt).toBe(NOW);
  });

  it('removes what a kill left beside it', async () => {
    const abandoned = partOf(at('killed.tar.gz'), 'k');
    writeFileSync(abandoned, '');
    utimesSync(abandoned, 0, 0);
    await write(at('beside.tar.gz'));
    expect(existsSync(abandoned)).toBe(false);
  });

  it('copies an archive that is in use, with what is only in its log', async () => {
    const file = join(profile, 'archive', `${ID}.sqlite`);
    const db = new DatabaseSync(file);
    db.exec("PRAGMA journal_mode = WAL; INSERT INTO meta VALUES ('seen', 'in the log')");
    await write(at('in-use.tar.gz'));
    db.exec("DELETE FROM meta WHERE key = 'seen'");
    db.close();
    await readBackup(at('in-use.tar.gz'), { into: at('in-use') });
    const copy = new DatabaseSync(at('in-use', 'archive', `${ID}.sqlite`), { readOnly: true });
    expect(copy.prepare("SELECT value FROM meta WHERE key = 'seen'").get()).toEqual({ value: 'in the log' });
    expect(copy.prepare('SELECT count(*) AS n FROM trade').get()).toEqual({ n: 300 });
    copy.close();
  });

  it('leaves the existing file when it fails, and names what is in the way', async () => {
    mkdirSync(at('bad/archive'), { recursive: true });
    writeFileSync(at('bad/archive', `${ID}.sqlite`), 'no database');
    writeFileSync(at('kept.tar.gz'), 'what stood there');
    const failing = writeBackup(
      {
        ...{ profile: at('bad'), scratch: at('work'), path: at('kept.tar.gz'), token: 't' },
        origin: { version: '1', createdAt: NOW, schedule: null },
      },
      nothing,
    );
    await expect(failing).rejects.toThrow(`${ID}.sqlite is not a database`);
    await expect(write(at('none', 'x.tar.gz'))).rejects.toThrow('ENOENT');
    expect(readFileSync(at('kept.tar.gz'), 'utf8')).toBe('what stood there');
    expect(readdirSync(folder.path).filter((name) => name.includes('.part'))).toEqual([]);
  });
});

/** Packs a folder with a manifest about it, as an attacker or a fault could. */
async function packed(
  name: string,
  files: Readonly<Record<string, string>>,
  change: (manifest: Manifest) => unknown = (manifest) => manifest,
): Promise<string> {
  const from = at(`${name}-files`);
  for (const [file, text] of Object.entries(files)) put(from, file, text);
  const manifest: Manifest = {
    ...{ format: 'ballast-backup-1', version: '1', createdAt: NOW, schedule: null },
    files: Object.entries(files).map(([file, text]) => ({
      name: file,
      bytes: Buffer.byteLength(text),
      sha256: createHash('sha256').update(text).digest('hex'),
    })),
  };
  put(from, 'manifest.json', JSON.stringify(change(manifest)));
  return pack(name, from, ['manifest.json', ...Object.keys(files)]);
}

async function pack(name: string, cwd: string, names: string[]): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of create({ cwd, portable: true, preservePaths: true }, names)) pieces.push(piece);
  writeFileSync(at(name), gzipSync(Buffer.concat(pieces)));
  return at(name);
}

const stage = (path: string) => stageBackup({ profile: at('fresh'), path }, nothing);
const SOUND = { 'orders.jsonl': 'x\n' };

describe('a chosen file', () => {
  beforeAll(() => mkdirSync(at('fresh'), { recursive: true }));

  it('is staged once it is verified, and summed up', async () => {
    const { summary } = await stage(whole);
    expect(summary).toMatchObject({
      ...{ file: 'whole.tar.gz', createdAt: NOW, version: '1.2.3', archives: 1, trades: 300, orders: 0 },
      ...{ alertLogs: 1, webhooks: 1, settings: true },
      connections: [{ id: ID, name: `Account ${ID}`, baseUrl: 'https://api.meridian.example' }],
    });
    const staged = readFileSync(join(stagedFolder(at('fresh')), 'connections.json'), 'utf8');
    expect(JSON.parse(staged)).toMatchObject({ connections: [{ id: ID, proven: false, unlocked: false }] });
    const webhooks = readFileSync(join(stagedFolder(at('fresh')), 'webhooks.json'), 'utf8');
    expect(JSON.parse(webhooks)).toMatchObject({ webhooks: [{ id: WEBHOOK.id, settings: { on: false } }] });
  });

  it.each<[what: string, make: (name: string) => Promise<string>, said: RegExp]>([
    ['cut', (name) => cut(name, 0.6), /damaged: it is cut off or was changed/],
    ['changed in the middle', (name) => flipped(name), /damaged/],
    ['no tar', (name) => raw(name, 'trades, perhaps'), /not a backup of everything/],
    [
      'a tar of something else',
      (name) => pack(name, profile, ['window.json']),
      /does not begin with a manifest/,
    ],
    ['other content than listed', (name) => packed(name, SOUND, hashed), /orders.jsonl differs/],
    ['a file too few', (name) => packed(name, SOUND, listingMore), /settings.json is missing/],
    [
      'a file too many',
      (name) => packed(name, { ...SOUND, 'settings.json': '{}' }, listingOne),
      /does not list/,
    ],
    ['a file of another name', (name) => packed(name, { 'window.json': '{}' }), /lists “window.json”/],
    ['a path that escapes', (name) => packed(name, { '../escaped.json': '{}' }), /lists “..\/escaped.json”/],
    [
      'a path that escapes unlisted',
      (name) => packed(name, { '../escaped.json': '{}' }, empty),
      /does not list/,
    ],
    [
      'a practice archive',
      (name) => packed(name, { 'archive/practice-1.sqlite': 'x' }),
      /its manifest lists/,
    ],
    ['a size beyond its limit', (name) => packed(name, SOUND, enormous), /larger than it can be/],
    [
      'more bytes than the disk has free',
      (name) => packed(name, { 'archive/live-1.sqlite': 'x' }, large),
      /too little free space/,
    ],
    ['content without end', (name) => bomb(name), /more than its manifest lists/],
    ['a second compression inside', (name) => packedTwice(name), /container cannot be read/],
    ['a link', (name) => linked(name), /not a file/],
    [
      'no archive in it',
      (name) => packed(name, { 'archive/live-1.sqlite': 'x' }),
      /it is not an archive of Ballast/,
    ],
    [
      'settings that cannot be read',
      (name) => packed(name, { 'settings.json': '[]' }),
      /settings.json is damaged/,
    ],
    [
      'connections that cannot be read',
      (name) => packed(name, { 'connections.json': '{}' }),
      /connections.json is/,
    ],
    [
      'webhooks that cannot be read',
      (name) => packed(name, { 'webhooks.json': '{}' }),
      /webhooks.json is damaged/,
    ],
    [
      'a newer format',
      (name) => packed(name, SOUND, (one) => ({ ...one, format: 'ballast-backup-2' })),
      /newer/,
    ],
  ])('with %s is rejected, and nothing is left of it', async (what, make, said) => {
    const path = await make(`${what.replaceAll(/\W+/g, '-')}.gz`);
    const before = readdirSync(folder.path).sort();
    await expect(stage(path)).rejects.toThrow(said);
    expect(existsSync(stagedFolder(at('fresh')))).toBe(false);
    expect(readdirSync(folder.path).sort()).toEqual(before);
    expect(openFiles().filter((one) => one.startsWith(at('fresh')))).toEqual([]);
  });

  it('of a newer schema, or with a trigger, is refused as by the restore of one archive', async () => {
    for (const [other, sql, said] of [
      [
        at('newer'),
        "UPDATE meta SET value = '99' WHERE key = 'schema_version'",
        /newer version of Ballast wrote it/,
      ],
      [
        at('trigger'),
        'CREATE TRIGGER t AFTER INSERT ON trade BEGIN DELETE FROM trade; END',
        /changed by another program/,
      ],
    ] as const) {
      await fillProfile(other, 1);
      const db = new DatabaseSync(join(other, 'archive', `${ID}.sqlite`));
      db.exec(sql);
      db.close();
      const request = { profile: other, scratch: at('work'), path: at('other.tar.gz'), token: 't' };
      await writeBackup({ ...request, origin: { version: '1', createdAt: NOW, schedule: null } }, nothing);
      await expect(stage(at('other.tar.gz'))).rejects.toThrow(said);
    }
  });
});

const DESCRIPTORS = '/proc/self/fd';
/** Lists the files this process has open, on Linux: on Windows each keeps its folder from being removed. */
function openFiles(): readonly string[] {
  if (!existsSync(DESCRIPTORS)) return [];
  const listed = readdirSync(DESCRIPTORS).map((one) => join(DESCRIPTORS, one));
  // The descriptor of the listing itself is closed by now.
  return listed.flatMap((one) => (lstatSync(one, { throwIfNoEntry: false }) ? [readlinkSync(one)] : []));
}

function raw(name: string, content: string | Buffer): Promise<string> {
  writeFileSync(at(name), content);
  return Promise.resolve(at(name));
}
const cut = (name: string, percent: number): Promise<string> => {
  const bytes = readFileSync(whole);
  return raw(name, bytes.subarray(0, Math.floor(bytes.length * percent)));
};
function flipped(name: string): Promise<string> {
  const bytes = gunzipSync(readFileSync(whole));
  bytes.fill(7, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 9);
  return raw(name, gzipSync(bytes));
}
const hashed = (one: Manifest) => ({
  ...one,
  files: one.files.map((file) => ({ ...file, sha256: '0'.repeat(64) })),
});
const listingMore = (one: Manifest) => ({
  ...one,
  files: [...one.files, { name: 'settings.json', bytes: 2, sha256: '0'.repeat(64) }],
});
const listingOne = (one: Manifest) => ({ ...one, files: one.files.slice(0, 1) });
const empty = (one: Manifest) => ({ ...one, files: [] });
const enormous = (one: Manifest) => ({ ...one, files: one.files.map((file) => ({ ...file, bytes: 1e15 })) });
const large = (one: Manifest) => ({ ...one, files: many(one.files[0]!.sha256) });
/** Within the limit of each, together more than any disk of a test. */
const many = (sha256: string) =>
  Array.from({ length: 1_900 }, (_, n) => ({ name: `archive/live-${n}.sqlite`, bytes: 190e9, sha256 }));
async function bomb(name: string): Promise<string> {
  const path = await packed(name, SOUND);
  return raw(name, gzipSync(Buffer.concat([gunzipSync(readFileSync(path)), Buffer.alloc(20_000_000)])));
}
const packedTwice = (name: string): Promise<string> =>
  raw(name, gzipSync(zstdCompressSync(gunzipSync(readFileSync(whole)))));
async function linked(name: string): Promise<string> {
  const from = at(`${name}-files`);
  await packed(name, SOUND);
  symlinkSync('/etc/passwd', join(from, 'settings.json'));
  return pack(name, from, ['manifest.json', 'settings.json']);
}

describe('keeping a number of files', () => {
  const KEEP = at('keep');
  const name = (day: number): string => backupName(NOW + day * 86_400_000);

  it('deletes the oldest of this schedule only, by name and manifest, and never the verified one', async () => {
    mkdirSync(KEEP);
    for (const day of [0, 1, 2, 3]) await write(join(KEEP, name(day)), 'mine', NOW + day * 86_400_000);
    await write(join(KEEP, name(-1)), 'another', NOW);
    await write(join(KEEP, name(-2)), null, NOW);
    await write(join(KEEP, 'renamed.tar.gz'), 'mine', NOW);
    writeFileSync(join(KEEP, name(-3)), 'not a backup');
    const undeleted = await prune({ folder: KEEP, schedule: 'mine', keep: 2, verified: name(0) });
    expect(undeleted).toEqual([]);
    // The clock was set back: the verified file is the oldest by its time.
    expect(readdirSync(KEEP).sort()).toEqual(
      [name(0), name(3), name(-1), name(-2), name(-3), 'renamed.tar.gz'].sort(),
    );
  });

  it('fails no backup where its folder may be written to but not listed', async () => {
    const folder = join(KEEP, 'gone');
    const undeleted = await prune({ folder, schedule: 'mine', keep: 2, verified: 'a' });
    expect(undeleted).toEqual([expect.stringContaining('cannot be read')]);
  });
});

it('takes connections of several accounts', async () => {
  put(at('two'), 'connections.json', JSON.stringify(connections(['live-1', 'live-2'])));
  const request = { profile: at('two'), scratch: at('work'), path: at('two.tar.gz'), token: 't' };
  await writeBackup({ ...request, origin: { version: '1', createdAt: NOW, schedule: null } }, nothing);
  const { summary } = await stage(at('two.tar.gz'));
  expect(summary.connections.map(({ id }) => id)).toEqual(['live-1', 'live-2']);
});
