import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ArchiveExport } from './source.ts';
import { partOf, realDisk, type Disk } from '../../../src-files/atomic-file.ts';
import { Jobs } from '../lib/jobs.ts';
import { exportFile, type ExportStep } from './job.ts';
import { exportPreview } from './source.ts';
import { FULL_EXPORT, openHere, temporaryFolder, trades } from '../../../tests/archive/trades.ts';

const QUERY: ArchiveExport = { ...FULL_EXPORT, timeFormat: 'iso' };
const OLD = 'what stood there\n';

function prepare(disk?: Disk) {
  const archive = openHere();
  archive.writer.insert(trades(0, 5_000), null, 0);
  const folder = temporaryFolder();
  const out = folder.path;
  const path = join(out, 'trades.csv');
  writeFileSync(path, OLD);
  const steps: ExportStep[] = [];
  const jobs = new Jobs<ExportStep>((_, step) => {
    steps.push(step);
    onStep(step);
  }, 0);
  const ports = { ...archive, file: 'a.sqlite', ...(disk === undefined ? {} : { disk }) };
  let onStep: (step: ExportStep) => void = () => undefined;
  return {
    ...archive,
    jobs,
    run: (query: ArchiveExport, to = path) =>
      jobs.run('j1', (report) => exportFile(ports, 'j1', query, to, report)),
    out,
    path,
    steps,
    close: () => {
      archive.close();
      folder.remove();
    },
    at: (listener: (step: ExportStep) => void) => {
      onStep = listener;
    },
  };
}

const full = (): Error => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });

describe('an export', () => {
  it('reports progress and replaces the old file only when complete', async () => {
    const one = prepare();
    one.at(() => expect(readFileSync(one.path, 'utf8')).toBe(OLD));
    const abandoned = partOf(one.path, 'killed');
    writeFileSync(abandoned, '');
    utimesSync(abandoned, 0, 0);
    const end = await one.run(QUERY);
    expect(end).toMatchObject({ state: 'done', rows: 5_000, total: 5_000, path: one.path, failure: null });
    const text = readFileSync(one.path, 'utf8');
    expect(text.split('\r\n')).toHaveLength(5_002);
    expect(end.bytes).toBe(Buffer.byteLength(text));
    expect(one.steps.map((step) => step.rows)).toEqual([0, 2_000, 4_000, 5_000, 5_000]);
    expect(readdirSync(one.out)).toEqual(['trades.csv']);
    const preview = await exportPreview(one, QUERY);
    expect(text.startsWith(preview.text)).toBe(true);
    expect(preview.text.split('\r\n')).toHaveLength(12);
    expect(preview.coins).toEqual([]);
    expect((await exportPreview(one, { ...QUERY, preset: 'rotki' })).coins).toEqual(['BTC', 'USDT']);
    one.close();
  });

  it('writes no file that has to agree with the archive’s totals and does not', async () => {
    const one = prepare();
    const query: ArchiveExport = { ...QUERY, preset: 'koinly' };
    // The totals are summed here, and then a row is damaged.
    expect(await one.run({ ...query, mustAgree: true })).toMatchObject({ state: 'done' });
    one.db.exec("UPDATE trade SET fee = '9.9' WHERE seq = 5");
    writeFileSync(one.path, OLD);
    const end = await one.run({ ...query, mustAgree: true });
    expect(end).toMatchObject({ state: 'failed', failure: { kind: 'file' } });
    expect(end.failure?.message).toContain('differ from the totals of the archive a.sqlite');
    expect(readFileSync(one.path, 'utf8')).toBe(OLD);
    expect(readdirSync(one.out)).toEqual(['trades.csv']);
    // The window shows that it differs.
    expect(await one.run(query)).toMatchObject({ state: 'done', controlTotals: { agrees: false } });
    one.close();
  });

  it('leaves the old bytes and no other file when it is cancelled', async () => {
    const one = prepare();
    one.at((step) => {
      if (step.rows === 2_000) one.jobs.cancel('j1');
    });
    expect(await one.run(QUERY)).toMatchObject({ state: 'cancelled', rows: 2_000 });
    expect(readFileSync(one.path, 'utf8')).toBe(OLD);
    expect(readdirSync(one.out)).toEqual(['trades.csv']);
    one.close();
  });

  it('can be cancelled all at once, before the archive closes', async () => {
    const one = prepare();
    const running = one.run(QUERY);
    await one.jobs.cancelAll();
    expect((await running).state).toBe('cancelled');
    expect(readdirSync(one.out)).toEqual(['trades.csv']);
    one.close();
  });

  it.each(['write', 'sync', 'rename'] as const)(
    'leaves the old bytes and no other file when the disk is full at %s',
    async (when) => {
      let writes = 0;
      const one = prepare({
        ...realDisk,
        // Takes a part of the bytes first, as a filling disk does.
        write(file, bytes, from) {
          if (when === 'write' && ++writes > 3) throw full();
          return realDisk.write(file, bytes.subarray(0, from + Math.ceil((bytes.length - from) / 2)), from);
        },
        async sync(file) {
          if (when === 'sync') throw full();
          await realDisk.sync(file);
        },
        async rename(from, to) {
          if (when === 'rename') throw full();
          await realDisk.rename(from, to);
        },
      });
      const end = await one.run(QUERY);
      expect(end).toMatchObject({ state: 'failed', failure: { kind: 'file', field: 'path' } });
      expect(end.failure?.message).toContain(one.path);
      expect(end.failure?.message).toContain('the disk is full');
      expect(end.failure?.next).toContain('another disk');
      expect(readFileSync(one.path, 'utf8')).toBe(OLD);
      expect(readdirSync(one.out)).toEqual(['trades.csv']);
      one.close();
    },
  );

  it.each([
    ['a folder that is missing', (out: string) => join(out, 'no', 'such', 'trades.csv'), /does not exist/],
    ['a path through a file', (out: string) => join(out, 'trades.csv', 'trades.csv'), /not a folder/],
    ['a folder of that name', (out: string) => out, /folder has this name|refused|cannot write/],
  ])('reports the path and the way out for %s', async (_, pathIn, text) => {
    const one = prepare();
    const path = pathIn(one.out);
    const end = await one.run(QUERY, path);
    expect(end).toMatchObject({ state: 'failed', failure: { kind: 'file', field: 'path' } });
    expect(end.failure?.message).toContain(path);
    expect(end.failure?.message).toMatch(text);
    expect(readFileSync(one.path, 'utf8')).toBe(OLD);
    expect(existsSync(partOf(path, 'j1'))).toBe(false);
    one.close();
  });

  it('reports a read-only folder', async () => {
    // Root may write anywhere, so the disk port rejects it.
    const one = prepare({
      ...realDisk,
      create: () => {
        throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
      },
    });
    const end = await one.run(QUERY);
    expect(end.failure?.message).toMatch(/you cannot write to this folder or file/);
    expect(readFileSync(one.path, 'utf8')).toBe(OLD);
    one.close();
  });

  it('writes nothing for an unknown zone', async () => {
    const one = prepare();
    const end = await one.run({ ...QUERY, timeZone: 'Mars/Olympus' });
    expect(end).toMatchObject({ state: 'failed', failure: { kind: 'blocked', field: 'timeZone' } });
    expect(readFileSync(one.path, 'utf8')).toBe(OLD);
    one.close();
  });
});
