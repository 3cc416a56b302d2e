/** Searches for a secret in every place it could leak to, in every encoding. */
import { createReadStream, type Dirent } from 'node:fs';
import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CDPSession, Page } from '@playwright/test';
import { familyOf } from './processes.ts';

export interface Needle {
  readonly encoding: string;
  readonly bytes: Buffer;
}
export interface Hit {
  readonly where: string;
  readonly encoding: string;
}

const jsonText = (text: string): string => JSON.stringify(text).slice(1, -1);
const htmlText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The base64 characters that do not depend on the bytes around the secret, when it begins at `offset` mod 3. */
function base64At(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64url');
  const first = Math.ceil((offset * 8) / 6);
  return text.slice(first, Math.floor(((offset + bytes.length) * 8) / 6));
}

/** A secret in every encoding, without duplicates. */
export function needlesOf(secret: string): readonly Needle[] {
  const bytes = Buffer.from(secret, 'utf8');
  const texts: readonly (readonly [encoding: string, text: string])[] = [
    ['UTF-8', secret],
    ['a piece of it', secret.slice(4, 20)],
    ['escaped in JSON', jsonText(secret)],
    ['escaped in JSON twice', jsonText(jsonText(secret))],
    ['escaped in HTML', htmlText(secret)],
    ['in an address', encodeURIComponent(secret)],
    ['in a form', new URLSearchParams({ a: secret }).toString().slice(2)],
    ['hex', bytes.toString('hex')],
    ['hex, capitals', bytes.toString('hex').toUpperCase()],
    ['backwards', Array.from(secret).reverse().join('')],
    ...[0, 1, 2].flatMap((offset) => {
      const text = base64At(bytes, offset);
      return [
        [`base64 at ${offset}`, text.replaceAll('-', '+').replaceAll('_', '/')],
        [`base64url at ${offset}`, text],
      ] as const;
    }),
    // A Buffer as JSON or in a log.
    ['numbers', [...bytes].join(',')],
  ];
  const all = [
    ...texts.map(([encoding, text]) => ({ encoding, bytes: Buffer.from(text, 'utf8') })),
    { encoding: 'UTF-16', bytes: Buffer.from(secret, 'utf16le') },
    { encoding: 'UTF-16, big end first', bytes: Buffer.from(secret, 'utf16le').swap16() },
  ];
  return all.filter((one, index) => all.findIndex((other) => other.bytes.equals(one.bytes)) === index);
}

const inside = (bytes: Buffer, needles: readonly Needle[]): Needle[] =>
  needles.filter((one) => bytes.includes(one.bytes));
const asHits = (where: string, needles: Iterable<Needle>): Hit[] =>
  [...needles].map(({ encoding }) => ({ where, encoding }));

export const hitsIn = (where: string, bytes: Buffer, needles: readonly Needle[]): Hit[] =>
  asHits(where, inside(bytes, needles));

/** Reads in chunks, since a file may exceed a Buffer. Chunks overlap, so that a hit across two is found. */
async function hitsInFile(path: string, needles: readonly Needle[]): Promise<Hit[]> {
  const overlap = Math.max(...needles.map(({ bytes }) => bytes.length));
  let before = Buffer.alloc(0);
  const found = new Set<Needle>();
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 22 })) {
    const bytes = Buffer.concat([before, piece as Buffer]);
    for (const needle of inside(bytes, needles)) found.add(needle);
    before = bytes.subarray(-overlap);
  }
  return asHits(path, found);
}

export interface Searched {
  readonly hits: readonly Hit[];
  readonly files: number;
}

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENXIO');

/** Everything below `folder`. Node's own recursion fails when a folder disappears meanwhile. */
async function entriesBelow(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const below = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) =>
      entriesBelow(join(folder, entry.name)).catch((error: unknown) => {
        if (!isGone(error)) throw error;
        return [];
      }),
    );
  return [...entries, ...(await Promise.all(below)).flat()];
}

/** Searches every file under `folders`, and their names. What disappears meanwhile is skipped. */
export async function searchFiles(folders: readonly string[], needles: readonly Needle[]): Promise<Searched> {
  const hits: Hit[] = [];
  let files = 0;
  for (const folder of folders)
    for (const entry of await entriesBelow(folder)) {
      const path = join(entry.parentPath, entry.name);
      hits.push(...hitsIn(`the name of ${path}`, Buffer.from(path), needles));
      if (!entry.isFile()) continue;
      try {
        hits.push(...(await hitsInFile(path, needles)));
        files++;
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    }
  return { hits, files };
}

export interface SearchedProcesses {
  readonly hits: readonly Hit[];
  readonly processes: number;
}

/** Searches the environment and command line of the app's process and all its children. */
export async function searchProcesses(pid: number, needles: readonly Needle[]): Promise<SearchedProcesses> {
  const hits: Hit[] = [];
  const family = await familyOf(pid);
  for (const one of family)
    for (const part of ['environ', 'cmdline']) {
      const bytes = await readFile(`/proc/${one}/${part}`).catch(() => Buffer.alloc(0));
      hits.push(...hitsIn(`${part} of process ${one}`, bytes, needles));
    }
  return { hits, processes: family.length };
}

/** Counts occurrences of `bytes` in a process's memory, including unreferenced memory. Linux only. */
export async function timesInMemory(pid: number, bytes: Buffer): Promise<number> {
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8');
  const memory = await open(`/proc/${pid}/mem`);
  let times = 0;
  try {
    for (const [, from = '', to = ''] of maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rw/gm)) {
      const start = Number.parseInt(from, 16);
      const length = Number.parseInt(to, 16) - start;
      // Reserved gigabytes are not in use; used memory comes in small regions.
      if (length > 1 << 28) continue;
      const piece = Buffer.alloc(length);
      const read = await memory.read(piece, 0, length, start).catch(() => null); // not readable for us
      if (read === null) continue;
      for (let at = piece.indexOf(bytes); at >= 0; at = piece.indexOf(bytes, at + 1)) times++;
    }
  } finally {
    await memory.close();
  }
  return times;
}

/** The page's JavaScript heap after a collection, from the protocol's snapshot. */
export async function heapOf(session: CDPSession): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const take = ({ chunk }: { chunk: string }): void => void pieces.push(Buffer.from(chunk, 'utf8'));
  session.on('HeapProfiler.addHeapSnapshotChunk', take);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  session.off('HeapProfiler.addHeapSnapshotChunk', take);
  return Buffer.concat(pieces);
}

/** All text in the page: markup, values of fields, storage, which are outside its heap. */
export const pageText = (page: Page): Promise<string> =>
  page.evaluate(() =>
    [
      document.documentElement.outerHTML,
      ...[...document.querySelectorAll('input, textarea')].map((one) => (one as HTMLInputElement).value),
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
    ].join('\n'),
  );
