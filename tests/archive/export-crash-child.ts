/**
 * The process of the export crash test: `write ARCHIVE FILE` until it is killed, or `full ARCHIVE FOLDER` on a
 * small disk.
 */
import { readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openArchive } from '../../src-main/archive/archive.ts';
import type { ArchiveExport } from '../../src-main/archive/export/source.ts';
import { dataOf } from '../shared/data-of.ts';

const [mode = '', file = '', place = '', query = ''] = process.argv.slice(2);
const wanted = JSON.parse(query) as ArchiveExport;
const OLD = 'the old content\n';
const step = (): void => void writeSync(1, '.');

const opened = dataOf(
  await openArchive({
    file,
    connectionId: 'export-crash',
    clock: { now: () => Date.now() },
    progressIntervalMs: 0,
  }),
);
const archive = opened;
if (mode === 'write') {
  step();
  await archive.exportCsv(wanted, place, step).done;
  step();
} else {
  const path = join(place, 'trades.csv');
  writeFileSync(path, OLD);
  const end = await archive.exportCsv(wanted, path, () => undefined).done;
  writeSync(
    1,
    JSON.stringify({
      tried: end.state === 'failed',
      hasOldBytes: readFileSync(path, 'utf8') === OLD,
      nothingElse: readdirSync(place).length === 1,
      message: end.failure?.message ?? '',
    }),
  );
}
await archive.close();
