import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servedFiles } from './files.ts';
import { createLog } from './log.ts';
import { CONTENT_SECURITY_POLICY, isOwnAddress } from './content-security-policy.ts';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

describe('own address', () => {
  it.each([
    ['app://bundle/index.html', null, true],
    ['app://bundle/index.html#risk', null, true],
    ['app://other/index.html', null, false],
    ['https://bundle/index.html', null, false],
    ['http://localhost:5173/', null, false],
    ['http://localhost:5173/index.html', 'http://localhost:5173', true],
    ['http://localhost:5174/', 'http://localhost:5173', false],
    ['file:///etc/passwd', null, false],
    ['about:blank', null, false],
    ['', null, false],
  ])('%s in development at %s: %s', (url, development, own) => {
    expect(isOwnAddress(url, development)).toBe(own);
  });

  it('lets the page send nothing and run nothing but its own files', () => {
    expect(CONTENT_SECURITY_POLICY).toContain("connect-src 'none'");
    expect(CONTENT_SECURITY_POLICY).toContain("script-src 'self'");
    expect(CONTENT_SECURITY_POLICY).not.toMatch(/unsafe|\*|https?:/);
  });
});

describe('files', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'served-'));
    await mkdir(join(folder, 'assets'));
    for (const name of ['index.html', 'assets/a.js', 'assets/a.js.map', 'assets/font.woff2', 'secret.json'])
      await writeFile(join(folder, name), 'x');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('lists the kinds a page needs, and no maps or data', async () => {
    const files = await servedFiles(folder);
    expect([...files.keys()].sort()).toEqual(['/assets/a.js', '/assets/font.woff2', '/index.html']);
    expect(files.get('/assets/a.js')?.type).toMatch(/javascript/);
  });

  it('keeps a line of the log although the old log cannot be moved away', () => {
    const path = join(folder, 'held', 'ballast.log');
    const log = createLog(path, { now: () => 0 });
    writeFileSync(path, 'x'.repeat(2_000_001));
    mkdirSync(join(`${path}.1`, 'taken'), { recursive: true });
    log.write('defect');
    expect(readFileSync(path, 'utf8')).toMatch(/"event":"defect"\}\n$/);
    rmSync(`${path}.1`, { recursive: true });
    log.write('later');
    expect(readFileSync(path, 'utf8')).toBe('{"at":"1970-01-01T00:00:00.000Z","event":"later"}\n');
  });

  it('masks a known secret wherever a log line would carry it', () => {
    const path = join(folder, 'logs', 'ballast.log');
    const log = createLog(path, { now: () => 0 });
    const unmask = log.redact(['canary-secret-value']);
    log.write('event', { detail: 'before canary-secret-value after' });
    const text = readFileSync(path, 'utf8');
    expect(text).not.toContain('canary');
    expect(text).toContain('[redacted]');
    // Another holder of the same secret keeps its mask; the log's copy is dropped with the last one.
    const other = log.redact(['canary-secret-value']);
    unmask();
    expect(log.mask('canary-secret-value')).toBe('[redacted]');
    other();
    expect(log.mask('canary-secret-value')).toBe('canary-secret-value');
  });
});
