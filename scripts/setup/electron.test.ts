/** Tests the download of Electron with the real installer, against local hosts that behave like firewalls. */
import { createServer, type RequestListener, type Server } from 'node:http';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  existsSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchedFetch } from './download.mjs';
import { electronIsUntried, findElectron, tryElectron } from './electron.mjs';
import { SetupError } from './messages.mjs';

const ROOT = dirname(dirname(import.meta.dirname));
const NOW = 1_800_000_000_000;
let clone = '';
const servers: Server[] = [];

async function host(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'ballast-electron-'));
  const electron = join(clone, 'node_modules', 'electron');
  mkdirSync(electron, { recursive: true });
  for (const name of ['install.js', 'package.json', 'checksums.json'])
    writeFileSync(join(electron, name), readFileSync(join(ROOT, 'node_modules', 'electron', name)));
  for (const name of ['@electron', '@electron-internal'])
    symlinkSync(join(ROOT, 'node_modules', name), join(clone, 'node_modules', name), 'junction');
  mkdirSync(join(clone, 'scripts'));
  symlinkSync(join(ROOT, 'scripts', 'setup'), join(clone, 'scripts', 'setup'), 'junction');
  vi.stubEnv('electron_config_cache', join(clone, 'cache'));
  vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', '');
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(clone, { recursive: true, force: true });
});

const note = (): unknown => JSON.parse(readFileSync(join(clone, '.cache', 'electron-tried.json'), 'utf8'));

describe('a download of Electron that fails', () => {
  it('is remembered on Linux for a day, where the stand-in replaces it', async () => {
    vi.stubEnv('ELECTRON_MIRROR', await host((_request, reply) => reply.writeHead(403).end()));
    expect(electronIsUntried(clone, NOW)).toBe(true);
    await tryElectron(clone, { platform: 'linux', now: () => NOW });
    expect(note()).toMatchObject({ at: NOW });
    expect(findElectron(clone).real).toBe(false);
    expect(electronIsUntried(clone, NOW + 23 * 3_600_000)).toBe(false);
    expect(electronIsUntried(clone, NOW + 25 * 3_600_000)).toBe(true);
    // A wrong clock does not postpone the retry for years.
    expect(electronIsUntried(clone, NOW - 25 * 3_600_000)).toBe(true);
  });

  it('is retried when its record has no time or another version', () => {
    mkdirSync(join(clone, '.cache'));
    for (const text of ['{"failed":"45.5.0"}', `{"failed":"1.0.0","at":${NOW}}`, '{half']) {
      writeFileSync(join(clone, '.cache', 'electron-tried.json'), text);
      expect(electronIsUntried(clone, NOW), text).toBe(true);
    }
  });

  it.each(['darwin', 'win32'] as const)(
    'says what to do on %s, where there is no stand-in',
    async (platform) => {
      vi.stubEnv('ELECTRON_MIRROR', await host((_request, reply) => reply.writeHead(404).end()));
      const failed = await tryElectron(clone, { platform }).then(
        () => null,
        (error: unknown) => error,
      );
      expect(failed).toBeInstanceOf(SetupError);
      expect(failed).toMatchObject({
        message: expect.stringMatching(/^Electron 45\.\d+\.\d+ could not be downloaded: .*404/) as string,
        advice: expect.stringMatching(
          /HTTPS_PROXY[^]*ELECTRON_MIRROR[^]*ELECTRON_OVERRIDE_DIST_PATH[^]*same command again/,
        ) as string,
      });
      expect(existsSync(join(clone, '.cache', 'electron-tried.json'))).toBe(false);
    },
  );

  it('names the host that is unreachable', async () => {
    vi.stubEnv('ELECTRON_MIRROR', await host(() => undefined));
    const [server] = servers.splice(0);
    await new Promise((resolve) => server?.close(resolve));
    await expect(tryElectron(clone, { platform: 'darwin' })).rejects.toThrow(
      /127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)/,
    );
  });

  it('rejects a wrong file by its checksum', async () => {
    vi.stubEnv('ELECTRON_MIRROR', await host((_request, reply) => reply.end('not Electron')));
    await expect(tryElectron(clone, { platform: 'win32' })).rejects.toThrow(/checksum/i);
  });
});

/** A minimal zip of stored files. */
function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const heads: Buffer[] = [];
  const parts: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const data = Buffer.from(text);
    // Version, flags, method, time, date; checksum, both sizes, length of the name, no extra field.
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(data.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((0o100755 << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    // Made on Unix, so that the mode above counts.
    heads.push(Buffer.from('PK\u0001\u0002'), Buffer.from([20, 3]), fields, tail, Buffer.from(name));
    const part = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), data]);
    parts.push(part);
    offset += part.length;
  }
  const directory = Buffer.concat(heads);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006');
  for (const at of [8, 10]) end.writeUInt16LE(parts.length, at);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, end]);
}

it('installs a successful download and clears an earlier failure', async () => {
  const { version } = JSON.parse(
    readFileSync(join(clone, 'node_modules', 'electron', 'package.json'), 'utf8'),
  ) as { version: string };
  const zip = zipOf({ electron: '#!/bin/sh\n', version });
  const name = `electron-v${version}-linux-x64.zip`;
  writeFileSync(
    join(clone, 'node_modules', 'electron', 'checksums.json'),
    JSON.stringify({ [name]: createHash('sha256').update(zip).digest('hex') }),
  );
  // The installer downloads for this system; the fixture here is Linux's.
  vi.stubEnv('ELECTRON_INSTALL_PLATFORM', 'linux');
  vi.stubEnv('ELECTRON_INSTALL_ARCH', 'x64');
  const paths: string[] = [];
  vi.stubEnv(
    'ELECTRON_MIRROR',
    await host(({ url = '' }, reply) => {
      paths.push(url);
      reply.end(zip);
    }),
  );
  mkdirSync(join(clone, '.cache'));
  writeFileSync(join(clone, '.cache', 'electron-tried.json'), '{"failed":"1.0.0","at":0}');
  await tryElectron(clone, { platform: 'win32' });
  expect(paths).toEqual([`/v${version}/${name}`]);
  const { path, real } = findElectron(clone);
  expect([real, readFileSync(path, 'utf8')]).toEqual([true, '#!/bin/sh\n']);
  expect(existsSync(join(clone, '.cache', 'electron-tried.json'))).toBe(false);
  expect(electronIsUntried(clone, NOW)).toBe(false);
});

describe('the request it makes', () => {
  /** Pending timers; a test advances the time. */
  const waiting = new Map<number, { readonly ms: number; readonly run: () => void }>();
  const reports: [number, number | null][] = [];
  let timers = 0;
  const watched = watchedFetch(fetch, {
    timeoutMs: 15_000,
    silentForMs: 60_000,
    report: (received, total) => void reports.push([received, total]),
    timers: {
      after(ms, run) {
        const id = ++timers;
        waiting.set(id, { ms, run });
        return () => void waiting.delete(id);
      },
    },
  });
  const limits = (): number[] => [...waiting.values()].map(({ ms }) => ms);
  const passes = (): void => [...waiting.values()].forEach(({ run }) => run());
  beforeEach(() => {
    waiting.clear();
    reports.splice(0);
  });

  it('times out where nothing replies', async () => {
    const asked = Promise.withResolvers<undefined>();
    const url = await host(() => asked.resolve(undefined));
    const answer = watched(url);
    await asked.promise;
    expect(limits()).toEqual([15_000]);
    passes();
    await expect(answer).rejects.toThrow(/^127\.0\.0\.1:\d+ did not answer within 15 s$/);
  });

  it('restarts its timeout with every chunk, reports progress, and times out when no more comes', async () => {
    let send: ((text: string) => void) | undefined;
    const url = await host((_request, reply) => {
      reply.writeHead(200, { 'content-length': '100' });
      send = (text) => void reply.write(text);
      reply.flushHeaders();
    });
    const answer = await watched(url);
    const reader = answer.body!.getReader();
    for (let pieces = 1; pieces <= 3; pieces++) {
      const before = timers;
      send?.('piece');
      expect((await reader.read()).value).toHaveLength(5);
      expect([limits(), timers > before]).toEqual([[60_000], true]);
      expect(reports.at(-1)).toEqual([5 * pieces, 100]);
    }
    const next = reader.read();
    passes();
    await expect(next).rejects.toThrow(/went silent for 60 s$/);
  });

  it('has no timeout once complete', async () => {
    const answer = await watched(await host((_request, reply) => reply.end('all of it')));
    expect([answer.status, await answer.text(), limits()]).toEqual([200, 'all of it', []]);
  });

  it('passes an error response to the installer unchanged', async () => {
    const answer = await watched(await host((_request, reply) => reply.writeHead(403).end('no')));
    expect([answer.status, await answer.text(), limits()]).toEqual([403, 'no', []]);
  });
});

it('finds the executable in each system’s distribution', () => {
  vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', join('/opt', 'e'));
  const at = (platform: NodeJS.Platform): string => findElectron(clone, platform).path;
  expect(at('linux')).toBe(join('/opt', 'e', 'electron'));
  expect(at('win32')).toBe(join('/opt', 'e', 'electron.exe'));
  expect(at('darwin')).toBe(join('/opt', 'e', 'Electron.app', 'Contents', 'MacOS', 'Electron'));
});
