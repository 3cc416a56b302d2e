import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fileText, streamText } from './bounded-text.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'ballast-bounded-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('reads a file up to the size, and no larger one', async () => {
  const path = join(folder, 'a');
  writeFileSync(path, 'fünf');
  expect(await fileText(path, 5)).toEqual({ text: 'fünf' });
  expect(await fileText(path, 4)).toEqual({ fault: 'too-large' });
});

it('reads files only, and UTF-8 only', async () => {
  const path = join(folder, 'a');
  writeFileSync(path, Uint8Array.of(0xff, 0xfe, 0x41));
  expect(await fileText(path, 100)).toEqual({ fault: 'not-utf-8' });
  expect(await fileText(folder, 100)).toEqual({ fault: 'not-a-file' });
  await expect(fileText(join(folder, 'none'), 100)).rejects.toMatchObject({ code: 'ENOENT' });
});

it('keeps a character that two parts of a stream share', async () => {
  const bytes = Buffer.from('ü');
  const stream = Readable.from([bytes.subarray(0, 1), bytes.subarray(1)]);
  expect(await streamText(stream, 10)).toEqual({ text: 'ü' });
});
