import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { START, temporaryFolder } from '../../../tests/archive/trades.ts';
import { openDatabase } from './database.ts';
import { archiveFailure } from './errors.ts';

it('says why the folder of an archive cannot be used; anything else is a bug', () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'archives', 'a.sqlite');
  writeFileSync(join(folder.path, 'archives'), '');
  let failure;
  try {
    openDatabase(file, 'one', START);
  } catch (error) {
    failure = archiveFailure(error, 'a.sqlite');
  }
  expect(failure).toEqual({
    kind: 'file',
    message: 'The archive a.sqlite cannot be used: its folder’s name is that of a file.',
    next: 'Check its folder and the disk, then start Ballast again.',
    field: 'file',
  });
  const defect = Object.assign(new TypeError('not a path'), { code: 'ERR_INVALID_ARG_TYPE' });
  expect(archiveFailure(defect, 'a.sqlite')).toMatchObject({ kind: 'bug' });
});
