/**
 * The export as a command of the program itself, `ballast export`: without a display, beside the running app, which does
 * not notice, with the texts and exit codes of `npm run export`.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionState } from '../src-shared/ipc/calls.ts';
import { startPractice } from '../src-practice/index.ts';
import { needlesOf, searchFiles } from './canary-search.ts';
import { callBridge, controls, expect, ROOT, test } from './fixture.ts';
import { openLive, ownFolder } from './page-objects.ts';
import { ended, started, type Ended } from './started.ts';

/** As cron and systemd start it: no display, and whatever the test adds. */
function bare(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { DISPLAY: _x11, WAYLAND_DISPLAY: _wayland, ...env } = process.env;
  return { ...env, ...more };
}
const byNpm = (profile: string, args: readonly string[], env = bare()): Promise<Ended> =>
  ended(process.execPath, [join(ROOT, 'scripts/tasks/export.ts'), ...args], {
    ...env,
    BALLAST_PROFILE: profile,
  });
/** What both say, where they are called differently. */
const texts = ({ code, stdout, stderr }: Ended) => ({
  code,
  stdout,
  // Of the progress the end: a slow machine prints more of it.
  stderr: stderr
    .replace(/(?:npm run export --|ballast export) --help/, 'HELP')
    .replaceAll(/^trades .*\n(?=trades )/gm, ''),
});

test('exports a connection beside the running app, which keeps its window, its archive and its lock', async ({
  ballast: { page, profile },
  practice,
}) => {
  const secret = 'n33dle-export-7d1c4b9a';
  const exchange = await startPractice({ seed: 3, history: 700, credentials: { key: 'mk_export', secret } });
  const { id } = await openLive(page, exchange, { name: 'Main desk' });
  const out = join(await ownFolder(), 'trades.csv');
  const args = ['export', '--connection', 'Main desk', '--out', out];

  const { code, stdout, stderr } = await started(profile, args, bare());
  expect(code, stderr).toBe(0);
  // The progress at the end, and in between on a slow machine.
  expect(stderr).toMatch(/^(?:trades .*\n)*trades 7\d\d of 7\d\d · .*\n$/);
  expect(stdout).toMatch(/^7\d\d rows, \d+ bytes: .*trades\.csv\n/);
  expect(stdout).toContain('against the archive: agrees');
  const rows = (await readFile(out, 'utf8')).trimEnd().split('\r\n').slice(1);
  const listed = (await controls(exchange, '/trades')) as unknown[];
  expect(listed.length - rows.length).toBeLessThan(20);

  await test.step('the archive is its own, and only newer records are read the next time', async () => {
    expect(await readdir(join(profile, 'exports'))).toContain(`${id}.sqlite`);
    expect(await readdir(join(profile, 'archive'))).toContain(`${id}.sqlite`);
    const before = (await controls(exchange, '/state')) as { readonly received: Record<string, number> };
    expect((await started(profile, args, bare())).code).toBe(0);
    const after = (await controls(exchange, '/state')) as typeof before;
    expect(after.received['trades']! - before.received['trades']!).toBeLessThan(
      before.received['trades']! / 2 + 5,
    );
  });

  await test.step('the app noticed nothing, and no secret is anywhere', async () => {
    await expect(page.getByText('already open in this window')).toHaveCount(0);
    expect((await callBridge<SessionState>(page, 'session.get')).activeId).toBe(id);
    const { hits } = await searchFiles([profile, await ownFolder()], needlesOf(secret));
    expect(hits).toEqual([]);
    expect(stdout + stderr).not.toContain(secret);
  });
  await exchange.stop();
  void practice;
});

test('ends with the codes and texts of npm run export', async ({ practice, profile }) => {
  const folder = await ownFolder();
  const out = join(folder, 'a.csv');
  const env = bare({ KEY: practice.credentials.key, SECRET: practice.credentials.secret, WRONG: 'not-it' });
  const account = ['--base-url', practice.url, '--key-env', 'KEY', '--signing', 'practice', '--out', out];
  const right = [...account, '--secret-env', 'SECRET'];
  const cases: readonly (readonly [number, readonly string[]])[] = [
    [0, right],
    [0, [...right, '--period', 'last-month', '--preset', 'koinly']],
    [1, ['--out', out]],
    [1, [...right, '--secret', 'x']],
    [1, ['--connection', 'Nobody', '--out', out]],
    [2, [...account, '--secret-env', 'WRONG']],
    [4, [...right, '--archive', join(folder, 'b.sqlite'), '--out', join(folder, 'no', 'x.csv')]],
    [5, [...right, '--base-url', 'http://127.0.0.1:9', '--wait', '0', '--archive', join(folder, 'c.sqlite')]],
  ];
  for (const [code, args] of cases)
    await test.step(`${code}: ${args.slice(-2).join(' ')}`, async () => {
      const ours = await started(profile, ['export', ...args], env);
      expect(ours.code, ours.stderr).toBe(code);
      // The exchange trades on meanwhile: figures may differ by a few.
      const plain = (end: Ended) => JSON.stringify(texts(end)).replaceAll(/-?\d+(?:\.\d+)?/g, '0');
      expect(plain(ours)).toBe(plain(await byNpm(profile, args, env)));
      expect(ours.stdout + ours.stderr).not.toContain('not-it');
    });
  // None of it needs or makes a profile of the app.
  expect(await readdir(profile)).toEqual([]);
});

test('says what it has, and what it has not', async ({ profile }) => {
  const help = await started(profile, ['help']);
  expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('ballast export --help')]);
  const options = await started(profile, ['export', '--help']);
  expect([options.code, options.stdout]).toEqual([
    0,
    expect.stringContaining('ballast export --connection NAME'),
  ]);
  const typo = await started(profile, ['exprot']);
  expect([typo.code, typo.stderr]).toEqual([1, expect.stringContaining('no command “exprot”')]);

  await test.step('a damaged list of connections is left to the app', async () => {
    const file = join(profile, 'connections.json');
    await writeFile(file, '{');
    const damaged = await started(profile, ['export', '--connection', 'A', '--out', join(profile, 'a.csv')]);
    expect([damaged.code, damaged.stderr]).toEqual([
      4,
      expect.stringContaining('connections.json is damaged'),
    ]);
    expect(await readFile(file, 'utf8')).toBe('{');
  });
});
