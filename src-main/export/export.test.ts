import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startPractice } from '../../src-practice/index.ts';
import { fullDisk, killed } from '../../tests/archive/export-crash.ts';
import { TIMEOUTS } from '../exchange/transport.ts';
import { control } from '../../tests/practice/controls.ts';
import { listen } from '../../tests/shared/listening.ts';

const SAMPLES = new URL('../../src-shared/exchange-api/samples/', import.meta.url);
const sampleOf = (name: string) =>
  (JSON.parse(readFileSync(new URL(`${name}.json`, SAMPLES), 'utf8')) as { readonly data: unknown }).data;
const PROGRAM = fileURLToPath(new URL('../../scripts/tasks/export.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ballast-headless-'));
const out = join(folder, 'trades.csv');
let practice: Awaited<ReturnType<typeof startPractice>>;
beforeAll(async () => {
  practice = await startPractice({ port: 0, seed: 5, speed: 1, history: 2_500 });
});
afterAll(async () => {
  await practice.stop();
  rmSync(folder, { recursive: true, force: true });
});

const KEYS = (): NodeJS.ProcessEnv => ({
  ...process.env,
  TEST_KEY: practice.credentials.key,
  TEST_SECRET: practice.credentials.secret,
});
const ARGS = ['--key-env', 'TEST_KEY', '--secret-env', 'TEST_SECRET', '--signing', 'practice', '--out', out];

interface Ended {
  readonly code: number | null;
  readonly output: string;
}
/** `onStart` may kill it. */
const run = (more: readonly string[] = [], env = KEYS(), onStart?: (kill: () => void) => void) =>
  started(['--base-url', practice.url, ...ARGS, ...more], env, onStart);

function started(args: readonly string[], env = KEYS(), onStart = (_kill: () => void): void => undefined) {
  return new Promise<Ended>((resolve) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], { env });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('close', (code) => resolve({ code, output }));
    onStart(() => child.kill('SIGKILL'));
  });
}

describe('the export without a window', () => {
  it('resumes after a kill, writes what the exchange lists as Python reads it, and prints no secret', async () => {
    const dead = await run([], KEYS(), (kill) => {
      const watcher = watch(folder, () => {
        // The archive is open: the backfill has begun.
        if (!readdirSync(folder).some((name) => name.endsWith('-wal'))) return;
        watcher.close();
        kill();
      });
    });
    expect(dead.code).toBeNull();
    expect(existsSync(out)).toBe(false);

    const { code, output } = await run();
    expect(output).toMatch(/against the archive: agrees/);
    expect(code).toBe(0);
    expect(output).not.toContain(practice.credentials.secret);
    const listed = JSON.parse(await control(practice, 'GET', '/trades')) as Record<string, unknown>[];
    const python = spawnSync(
      'python3',
      [
        '-c',
        'import csv,json,sys; print(json.dumps(list(csv.DictReader(open(sys.argv[1], newline="")))))',
        out,
      ],
      { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
    );
    const read = JSON.parse(python.stdout) as Record<string, string>[];
    const expected = listed.map((trade) => ({
      ...Object.fromEntries(Object.entries(trade).map(([name, value]) => [name, String(value)])),
      tradeTime: new Date(trade['tradeTime'] as number).toISOString(),
    }));
    const key = (row: Record<string, string>): string => `${row['symbol']} ${row['tradeId']}`;
    const sorted = (rows: Record<string, string>[]) => rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
    expect(read.length).toBeGreaterThanOrEqual(2_500);
    // The exchange keeps trading while this is read: the newest minute is not verified yet.
    const stored = new Set(read.map(key));
    expect(sorted(read)).toEqual(sorted(expected.filter((one) => stored.has(key(one)))));
    expect(expected.length - read.length).toBeLessThan(20);
  });

  it('exits with 2 for a wrong secret, 4 for a missing folder or an archive in use, and keeps the old file', async () => {
    const kept = join(folder, 'kept.csv');
    const to = ['--out', kept];
    expect((await run(to)).code).toBe(0);
    const old = readFileSync(kept, 'utf8');
    const wrong = await run([...to, '--preset', 'koinly'], { ...KEYS(), TEST_SECRET: 'not-it' });
    expect([wrong.code, wrong.output]).toEqual([2, expect.stringContaining('payload template')]);
    expect(wrong.output).not.toContain('not-it');
    const used = new DatabaseSync(`${kept}.archive.sqlite.lock`);
    used.exec('BEGIN EXCLUSIVE');
    const twice = await run(to);
    used.close();
    expect([twice.code, twice.output]).toEqual([4, expect.stringContaining('Another export is using the')]);
    const nowhere = await run(['--archive', `${kept}.archive.sqlite`, '--out', join(folder, 'no', 'x.csv')]);
    expect([nowhere.code, nowhere.output]).toEqual([4, expect.stringContaining('the folder does not exist')]);
    expect(nowhere.output).not.toContain('trades');
    expect(readFileSync(kept, 'utf8')).toBe(old);
  });
});

it('an export of a contract that the exchange does not list says so, into an archive that is an empty file', async () => {
  const archive = join(folder, 'empty.sqlite');
  writeFileSync(archive, '');
  const { code, output } = await run(['--archive', archive, '--symbol', 'BTC-USDT-M', '--symbol', 'BTCUSDT']);
  expect(output.match(/^! .*$/gm)).toEqual([
    '! --symbol BTCUSDT: the exchange lists no contract of this name. It is delisted or misspelled.',
  ]);
  expect(code).toBe(0);
});

it.skipIf(process.platform === 'win32')('an export replaces no device or pipe', async () => {
  const pipe = join(folder, 'pipe');
  spawnSync('mkfifo', [pipe]);
  const { code, output } = await run(['--out', pipe]);
  expect([code, output]).toEqual([4, expect.stringContaining('it is a device or a pipe')]);
  expect(statSync(pipe).isFIFO()).toBe(true);
});

/** A server that passes requests on to the practice exchange, and bans whoever asks for trades. */
async function banning(): Promise<string> {
  const server = createHttpServer(({ url = '', headers }, reply) => {
    const { host: _, connection: __, ...own } = headers as Record<string, string>;
    if (url.startsWith('/stapi/v1/trades')) return void reply.writeHead(418).end();
    return void fetch(`${practice.url}${url}`, { headers: own }).then(async (found) =>
      reply.writeHead(found.status, { 'content-type': 'application/json' }).end(await found.text()),
    );
  });
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${await listen(server)}`;
}

/** A server that lists these trades on one page, and these orders. */
async function listing(
  trades: () => { readonly data: readonly unknown[]; readonly total: number },
  orders: readonly unknown[] = [],
) {
  const server = createHttpServer(({ url = '' }, reply) => {
    const data = url.startsWith('/stapi/v1/trades')
      ? { pageCount: 1, ...trades() }
      : url.startsWith('/ftapi/v1/orderHis')
        ? orders
        : [];
    reply.writeHead(200, { 'content-type': 'application/json' });
    reply.end(JSON.stringify({ code: '0', msg: 'success', success: true, data }));
  });
  onTestFinished(() => void server.close());
  return ['--base-url', `http://127.0.0.1:${await listen(server)}`, ...ARGS];
}
const TRADE = (sampleOf('trades') as { readonly data: readonly object[] }).data[0];
const ORDER = (sampleOf('order-history') as readonly object[])[0];

describe('an export of a history with flaws', () => {
  it('exits with 3 and writes nothing where the exchange’s count and pages differ', async () => {
    const file = join(folder, 'miscounted.csv');
    const args = await listing(() => ({ data: [TRADE], total: 2 }));
    const { code, output } = await started([...args, '--out', file, '--wait', '0']);
    expect([code, output]).toEqual([
      3,
      expect.stringContaining('The exchange counts 2 trades, but its pages listed 1.'),
    ]);
    expect(output).toContain('but not verified. Try again.');
    expect(existsSync(file)).toBe(false);
  });

  it('exits with 3 and names records that the file lacks', async () => {
    const file = join(folder, 'flawed.csv');
    const args = await listing(
      () => ({ data: [TRADE, { ...TRADE, tradeId: null }], total: 2 }),
      [{ ...ORDER, mtime: 'soon' }],
    );
    const { code, output } = await started([...args, '--out', file]);
    expect([code, output.match(/^! .*$/gm)]).toEqual([
      3,
      [
        '! 1 trade without a readable identity: in no file.',
        '! 1 gap in the order history: orders of that time may be missing.',
      ],
    ]);
    expect(readFileSync(file, 'utf8').split('\r\n')).toHaveLength(3);
  });

  it('names records that came again with different content', async () => {
    let fee = '1';
    const tradeTime = Date.now() - 120_000;
    const args = await listing(() => ({ data: [{ ...TRADE, fee, tradeTime }], total: 1 }));
    const to = ['--out', join(folder, 'changed.csv')];
    expect(await started([...args, ...to])).toEqual({
      code: 0,
      output: expect.not.stringContaining('!') as string,
    });
    fee = '2';
    const { code, output } = await started([...args, ...to]);
    expect([code, output.match(/^! .*$/gm)]).toEqual([
      0,
      ['! 1 record sent again with different content: the first version is kept.'],
    ]);
  });
});

it('exits with 5 where the exchange fails, and does not say that it retries', async () => {
  const failing = createHttpServer((_, reply) => void reply.writeHead(503).end());
  onTestFinished(() => void failing.close());
  const url = `http://127.0.0.1:${await listen(failing)}`;
  const { code, output } = await started(['--base-url', url, ...ARGS, '--out', join(folder, 'failed.csv')]);
  expect([code, output]).toEqual([5, expect.stringMatching(/HTTP 503.*\n {2}Try again\.\n/)]);
});

describe('an export from an exchange that bans it', () => {
  it('ends at once, since nobody can resume it, and says so', async () => {
    const args = ['--base-url', await banning(), ...ARGS, '--out', join(folder, 'banned.csv')];
    const { code, output } = await started(args);
    expect([code, output]).toEqual([5, expect.stringContaining('banned this IP address')]);
    expect(output).toContain('Run it again later.');
  });
});

it.skipIf(process.platform === 'win32')('an export is written although nobody reads its texts', async () => {
  const file = join(folder, 'unread.csv');
  const args = ['--base-url', practice.url, ...ARGS, '--out', file];
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: KEYS() });
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  expect(existsSync(file)).toBe(true);
});

describe('an interrupted export', () => {
  it('ends at once while the exchange does not reply, and writes nothing', async () => {
    // Accepts a connection and says nothing.
    const silent = createServer();
    const reached = new Promise<unknown>((resolve) => silent.once('connection', resolve));
    const port = await listen(silent);
    const args = ['--base-url', `http://127.0.0.1:${port}`, ...ARGS, '--out', join(folder, 'silent.csv')];
    const child = spawn(process.execPath, [PROGRAM, ...args], { env: KEYS() });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    await reached;
    const startedAt = performance.now();
    child.kill('SIGTERM');
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, output]).toEqual([3, expect.stringContaining('no file was written')]);
    // Less than a read may take.
    expect(performance.now() - startedAt).toBeLessThan(TIMEOUTS.read);
    expect(existsSync(join(folder, 'silent.csv'))).toBe(false);
    silent.close();
  });
});

describe('an export', () => {
  it('leaves old or new bytes when killed, and the old ones on a full disk', async () => {
    expect(await killed(6, 12_000)).toMatchObject({ kills: 6, other: 0 });
    const disk = await fullDisk(12_000);
    if (disk.tried) expect(disk).toMatchObject({ hasOldBytes: true, nothingElse: true });
  });
});
