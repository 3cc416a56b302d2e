import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readArguments } from './command-line.ts';
import { changedHabits } from './habits.ts';
import { startPractice } from './start.ts';

const program = fileURLToPath(new URL('./index.ts', import.meta.url));
const run = (...args: string[]) => spawn(process.execPath, [program, ...args]);

it('prints exactly one JSON line when ready, and SIGTERM ends it cleanly', async () => {
  const child = run('--port', '0', '--seed', '7', '--json');
  const lines: string[] = [];
  const reader = createInterface(child.stdout).on('line', (line) => lines.push(line));
  await once(reader, 'line');
  const ready = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
  expect(Object.keys(ready)).toEqual(['url', 'key', 'secret', 'controls']);
  const response = await fetch(String(ready['url']) + '/ftapi/v1/account/info');
  expect(response.status).toBe(401);
  await response.arrayBuffer();
  child.kill('SIGTERM');
  // Windows has no signals: the process is ended from outside there.
  expect(await once(child, 'close')).toEqual(process.platform === 'win32' ? [null, 'SIGTERM'] : [0, null]);
  expect(lines.length).toBe(1);
});

it('names the option whose port, folder or stored exchange cannot be used, without a stack', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'practice-data-'));
  const stored = await startPractice({ dataDir: folder, seed: 7, history: 0 });
  const port = new URL(stored.url).port;
  const textOf = async (...args: string[]): Promise<string> => {
    const child = run('--history', '0', ...args);
    const parts: string[] = [];
    child.stderr.on('data', (part: Buffer) => parts.push(part.toString()));
    expect(await once(child, 'close')).toEqual([1, null]);
    return parts.join('');
  };
  expect(await textOf('--port', port)).toBe(
    `--port: ${port} cannot be used (EADDRINUSE): choose another, or 0 for a free one\n`,
  );
  await stored.stop();
  expect(await textOf('--data', folder, '--seed', '8')).toBe(
    '--data: the stored exchange has seed 7, not 8: leave the option out, or name another folder\n',
  );
  const file = join(folder, 'exchange.jsonl');
  expect(await textOf('--data', file)).toMatch(
    /^--data: .+ cannot be used \(E[A-Z]+\): name a folder that can/,
  );
  expect(await textOf('--data', join(folder, 'missing', 'new'))).toMatch(
    / cannot be used \(ENOENT\): name a /,
  );
  await rm(folder, { recursive: true });
});

it('rejects unknown options by name', async () => {
  const child = run('--sped', '1');
  const parts: string[] = [];
  child.stderr.on('data', (part: Buffer) => parts.push(part.toString()));
  expect(await once(child, 'close')).toEqual([2, null]);
  expect(parts.join('')).toContain('--sped');
});

it('reads every option and names an invalid one', () => {
  const { practice } = readArguments(
    '--port 8123 --seed 9 --speed 0 --history 5 --contracts 400 --page-base 0 --max-page-size 20 --order none --convention marginal'.split(
      ' ',
    ),
  );
  expect(practice).toEqual({
    port: 8123,
    seed: 9,
    speed: 0,
    history: 5,
    contracts: 400,
    pageBase: 0,
    maxPageSize: 20,
    order: 'none',
    convention: 'marginal',
  });
  expect(() => readArguments(['--page-base', '2'])).toThrow('--page-base');
  expect(() => readArguments(['--port', '70000'])).toThrow('--port');
  expect(() => readArguments(['--seed', '1e3'])).toThrow('--seed');
  // Fewer contracts would lack the delivery contracts, and 1 leaves no index to convert the other coins at.
  expect(() => readArguments(['--contracts', '12'])).toThrow(
    '--contracts: “12” is not a whole number from 13',
  );
});

it('starts with every kind of contract or not at all', async () => {
  await expect(startPractice({ contracts: 12 })).rejects.toThrow('contracts must be 13 to 1000, not 12');
});

it('takes habits from the command line over those of a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'practice-habits-'));
  const file = join(folder, 'habits.json');
  await writeFile(file, '{"page-base": 0, "decimals": "long"}');
  const { practice } = readArguments(['--habits', file, '--habit', 'decimals=short', '--page-base', '1']);
  expect(practice).toEqual({ pageBase: 1, habits: { 'page-base': '0', decimals: 'short' } });
  expect(() => readArguments(['--habit', 'page-base=2'])).toThrow('page-base must be one of 0, 1');
  expect(() => readArguments(['--habit', 'page-base'])).toThrow('--habit: “page-base” is not NAME=VALUE');
  expect(() => readArguments(['--habits', join(folder, 'none.json')])).toThrow('cannot be read');
  await writeFile(file, '{"page-base": ');
  expect(() => readArguments(['--habits', file])).toThrow('is not JSON');
  expect(readArguments(['--habit', 'list']).show).toContain('* 1: Pages start at 1.');
  await rm(folder, { recursive: true });
});

it('maps the short options to habits, and prefers a named habit', async () => {
  const practice = await startPractice({
    ...{ pageBase: 0, maxPageSize: 30, order: 'asc', convention: 'marginal' },
    habits: { 'order-order': 'none' },
  });
  const { habits } = practice;
  await practice.stop();
  expect(changedHabits(habits)).toEqual({
    ...{
      'page-base': '0',
      'page-size': '30',
      'trade-order': 'asc',
      'order-order': 'none',
      tiers: 'marginal',
    },
  });
});
