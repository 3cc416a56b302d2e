import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readArguments } from './command-line.ts';
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
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(lines.length).toBe(1);
});

it('refuses what it does not know, by name', async () => {
  const child = run('--sped', '1');
  const parts: string[] = [];
  child.stderr.on('data', (part: Buffer) => parts.push(part.toString()));
  expect(await once(child, 'close')).toEqual([2, null]);
  expect(parts.join('')).toContain('--sped');
});

it('reads every option, and says which one is wrong', () => {
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
  // Fewer would cut the delivery contracts off, and 1 leaves no index to convert the other coins at.
  expect(() => readArguments(['--contracts', '12'])).toThrow('--contracts must be a whole number from 13');
});

it('starts with every kind of contract or not at all', async () => {
  await expect(startPractice({ contracts: 12 })).rejects.toThrow('contracts must be 13 to 1000, not 12');
});
