import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { savedFileSchema } from '../../src-shared/ipc/calls-files.ts';
import { safeName, saveFile } from './saved-files.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'ballast-saved-'))));
afterEach(() => rm(folder, { recursive: true }));

const ports = (path: string | null) => {
  const asked: string[] = [];
  return {
    asked,
    savedPath: (_kind: 'png' | 'csv', suggested: string) => {
      asked.push(suggested);
      return Promise.resolve(path);
    },
  };
};

describe('a file of the window', () => {
  it('is written whole over the one that stood there, and its path returned', async () => {
    const path = join(folder, 'tiers.csv');
    await writeFile(path, 'old');
    const to = ports(path);
    const result = await saveFile({ kind: 'csv', name: 'tiers BTC', data: 'a,b\n1,“2”\n' }, to.savedPath);
    expect(result).toEqual({ ok: true, data: { path } });
    expect(await readFile(path, 'utf8')).toBe('a,b\n1,“2”\n');
    expect(to.asked).toEqual(['tiers BTC.csv']);
    expect(await readdir(folder)).toEqual(['tiers.csv']);
  });

  it('is a picture by its bytes, not by its word', async () => {
    const path = join(folder, 'chart.png');
    expect(await saveFile({ kind: 'png', name: 'chart', data: PIXEL }, ports(path).savedPath)).toMatchObject({
      ok: true,
    });
    expect((await readFile(path)).subarray(1, 4).toString()).toBe('PNG');
    const to = ports(path);
    for (const data of [btoa('#!/bin/sh'), PIXEL.slice(0, 40), PIXEL.slice(0, -16)])
      expect(await saveFile({ kind: 'png', name: 'chart', data }, to.savedPath)).toMatchObject({
        ok: false,
        failure: { kind: 'blocked', field: 'data' },
      });
    expect(to.asked).toEqual([]);
  });

  it('is not written when the user cancels, nor partly', async () => {
    expect(await saveFile({ kind: 'csv', name: 'x', data: 'a' }, ports(null).savedPath)).toEqual({
      ok: true,
      data: null,
    });
    const gone = join(folder, 'gone', 'x.csv');
    const result = await saveFile({ kind: 'csv', name: 'x', data: 'a' }, ports(gone).savedPath);
    expect(result).toMatchObject({ ok: false, failure: { kind: 'file', field: 'path' } });
    if (!result.ok) expect(result.failure.message).toContain('the folder does not exist');
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['../../etc/passwd', 'csv', 'etc-passwd.csv'],
    ['.bashrc', 'csv', 'bashrc.csv'],
    ['a\u0000b\n:c', 'png', 'a-b-c.png'],
    ['tiers.csv', 'csv', 'tiers.csv'],
    ['tiers.csv', 'png', 'tiers.csv.png'],
    ['∆∆', 'png', 'ballast.png'],
    ['x'.repeat(200), 'csv', `${'x'.repeat(100)}.csv`],
  ] as const)('names %j, a %s, %j', (name, kind, safe) => {
    expect(safeName(name, kind)).toBe(safe);
  });
});

describe('what may be saved', () => {
  it('is a picture of any length up to the limit, also after a short one', () => {
    for (const data of [PIXEL, 'A'.repeat(7_000_000), `${'A'.repeat(6_999_998)}==`])
      expect(v.safeParse(savedFileSchema, { kind: 'png', name: 'x', data }).success).toBe(true);
  });
  it.each([
    { kind: 'svg', name: 'x', data: 'AAAA' },
    { kind: 'png', name: 'x', data: 'not base64' },
    { kind: 'png', name: 'x', data: '' },
    { kind: 'png', name: 'x', data: 'AA=A' },
    { kind: 'png', name: 'x', data: 'A===' },
    { kind: 'png', name: 'x', data: '====' },
    { kind: 'png', name: 'x', data: 'AAA' },
    { kind: 'png', name: 'x', data: 'A'.repeat(7_000_004) },
    { kind: 'csv', name: 'x', data: 'a\u0000' },
    { kind: 'csv', name: 'x', data: '\ud800' },
    { kind: 'csv', name: 'x', data: 'a'.repeat(2_000_001) },
    { kind: 'csv', name: '', data: 'a' },
    { kind: 'csv', name: 'x', data: 'a', path: '/etc/passwd' },
  ])('refuses case %#', (input) => {
    expect(v.safeParse(savedFileSchema, input).success).toBe(false);
  });
});
