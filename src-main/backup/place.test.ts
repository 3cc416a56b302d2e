import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openHere, temporaryFolder } from '../../tests/archive/trades.ts';
import { contentOf, line, put } from '../../tests/backup/profiles.ts';
import { discardRestore, placeRestored, planRestore, RestoreInterrupted, stagedFolder } from './place.ts';

const folder = temporaryFolder();
const profile = join(folder.path, 'profile');
const NOW = Date.parse('2026-11-23T10:18:05Z');
const ASIDE = 'before-restore-20261123T101805Z';
afterAll(() => folder.remove());

/** A profile in use, and a backup staged for it. */
function prepare(into: string): void {
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into);
  for (const name of [
    'settings.json',
    'connections.json',
    'archive/live-1.sqlite',
    'archive/live-1.sqlite-wal',
  ])
    put(into, name, `present ${name}`);
  for (const name of ['archive/live-gone.sqlite', 'alerts/live-1.jsonl']) put(into, name, `present ${name}`);
  put(into, 'orders.jsonl', line('a') + line('since'));
  for (const name of ['secrets-index.json', 'window.json', 'archive/practice-1.sqlite', 'practice/state'])
    put(into, name, `untouched ${name}`);
  const staged = stagedFolder(into);
  for (const name of ['settings.json', 'connections.json', 'archive/live-1.sqlite', 'archive/live-2.sqlite'])
    put(staged, name, `backed up ${name}`);
  put(staged, 'orders.jsonl', line('a') + line('elsewhere'));
}

beforeEach(() => prepare(profile));
const read = (name: string): string => readFileSync(join(profile, name), 'utf8');

describe('a planned restore', () => {
  it('replaces what a backup holds, keeps the replaced files, and touches nothing else', () => {
    planRestore(profile, 'b.tar.gz', NOW);
    expect(placeRestored(profile)).toMatchObject({ file: 'b.tar.gz', aside: ASIDE });
    for (const name of [
      'settings.json',
      'connections.json',
      'archive/live-1.sqlite',
      'archive/live-2.sqlite',
    ])
      expect(read(name)).toBe(`backed up ${name}`);
    for (const name of ['archive/live-1.sqlite', 'archive/live-1.sqlite-wal', 'archive/live-gone.sqlite'])
      expect(read(`${ASIDE}/${name}`)).toBe(`present ${name}`);
    for (const name of ['secrets-index.json', 'window.json', 'archive/practice-1.sqlite', 'practice/state'])
      expect(read(name)).toBe(`untouched ${name}`);
    expect(readdirSync(join(profile, 'archive')).sort()).toEqual([
      ...['live-1.sqlite', 'live-2.sqlite', 'practice-1.sqlite'],
    ]);
    expect(existsSync(join(profile, 'restore'))).toBe(false);
    expect(placeRestored(profile)).toBeNull();
  });

  it('keeps the webhooks where the backup has none, and replaces them where it has', () => {
    put(profile, 'webhooks.json', 'present');
    planRestore(profile, 'b.tar.gz', NOW);
    placeRestored(profile);
    expect(read('webhooks.json')).toBe('present');

    prepare(profile);
    put(profile, 'webhooks.json', 'present');
    put(stagedFolder(profile), 'webhooks.json', 'backed up');
    planRestore(profile, 'b.tar.gz', NOW);
    placeRestored(profile);
    expect([read('webhooks.json'), read(`${ASIDE}/webhooks.json`)]).toEqual(['backed up', 'present']);
  });

  it('keeps every order of both journals, and the present one aside', () => {
    planRestore(profile, 'b.tar.gz', NOW);
    placeRestored(profile);
    expect(read('orders.jsonl')).toBe(line('a') + line('elsewhere') + line('since'));
    expect(read(`${ASIDE}/orders.jsonl`)).toBe(line('a') + line('since'));
  });

  it('keeps notes written since the backup, also when it is interrupted in between', () => {
    const write = (path: string, orderId: string, text: string): void => {
      rmSync(path, { force: true });
      const { notes, close } = openHere(path, 'live-1');
      notes.save(NOW, orderId, { text, tags: [] });
      close();
    };
    const name = 'archive/live-1.sqlite';
    rmSync(join(profile, `${name}-wal`));
    write(join(profile, name), '1', 'since');
    write(join(stagedFolder(profile), name), '2', 'in the backup');
    planRestore(profile, 'b.tar.gz', NOW);
    let steps = 0;
    const stop = (): void => {
      if (++steps === 2) throw new Error('crash');
    };
    expect(() => placeRestored(profile, stop)).toThrow(RestoreInterrupted);
    placeRestored(profile);
    const { notes, close } = openHere(join(profile, name), 'live-1');
    expect([notes.of('1')?.text, notes.of('2')?.text]).toEqual(['since', 'in the backup']);
    close();
  });

  it('comes to the same end when it is interrupted after any step', () => {
    planRestore(profile, 'b.tar.gz', NOW);
    const started = join(folder.path, 'started');
    cpSync(profile, started, { recursive: true });
    let steps = 0;
    placeRestored(profile, () => void steps++);
    const end = contentOf(profile);
    expect(steps).toBeGreaterThan(10);
    for (let last = 1; last <= steps; last++) {
      rmSync(profile, { recursive: true });
      cpSync(started, profile, { recursive: true });
      let left = last;
      const stop = (): void => {
        if (--left === 0) throw new Error('crash');
      };
      expect(() => placeRestored(profile, stop), `after step ${last}`).toThrow(RestoreInterrupted);
      placeRestored(profile);
      expect(contentOf(profile), `after step ${last}`).toEqual(end);
    }
  });

  it('that was never confirmed, or was discarded, changes nothing', async () => {
    const staged = contentOf(stagedFolder(profile));
    expect(Object.keys(staged)).toHaveLength(5);
    expect(placeRestored(profile)).toBeNull();
    expect(existsSync(stagedFolder(profile))).toBe(false);
    expect(read('settings.json')).toBe('present settings.json');
    prepare(profile);
    planRestore(profile, 'b.tar.gz', NOW);
    await discardRestore(profile);
    expect(placeRestored(profile)).toBeNull();
    expect(read('settings.json')).toBe('present settings.json');
  });

  it('keeps an earlier restore’s files under their own name, and works in an empty profile', () => {
    planRestore(profile, 'b.tar.gz', NOW);
    placeRestored(profile);
    put(stagedFolder(profile), 'settings.json', 'again');
    planRestore(profile, 'c.tar.gz', NOW);
    expect(placeRestored(profile)?.aside).toBe(`${ASIDE}-2`);
    expect(read(`${ASIDE}/settings.json`)).toBe('present settings.json');
    const fresh = join(folder.path, 'fresh');
    put(stagedFolder(fresh), 'archive/live-1.sqlite', 'backed up');
    planRestore(fresh, 'b.tar.gz', NOW);
    placeRestored(fresh);
    expect(contentOf(fresh)).toEqual({
      'archive/live-1.sqlite': Buffer.from('backed up').toString('base64'),
    });
  });

  it('whose plan cannot be read stops the start, and everything is left', () => {
    planRestore(profile, 'b.tar.gz', NOW);
    writeFileSync(join(profile, 'restore', 'plan.json'), '{}');
    const before = contentOf(profile);
    expect(() => placeRestored(profile)).toThrow(RestoreInterrupted);
    expect(contentOf(profile)).toEqual(before);
  });
});
