/**
 * Uses two canary secrets through a scripted day of a live connection: typed, tested, traded with, every fault, a
 * server that echoes them, saved files, two kills. Then searches all files, output, heap, environments and command
 * lines for every encoding. The search must find planted copies. Runs beside an unlocked gnome-keyring.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { ACTIONS } from '../src-practice/http/faults.ts';
import { startPractice, type Practice } from '../src-practice/index.ts';
import {
  heapOf,
  hitsIn,
  needlesOf,
  pageText,
  searchFiles,
  searchProcesses,
  type Hit,
  type Needle,
} from './canary-search.ts';
import { controls, expect, launch, test, type Ballast } from './fixture.ts';
import { ConnectionEditor, exportShown, goTo, rows, Ticket } from './page-objects.ts';
import { crash } from './started.ts';

/** Contains the characters that quoting, escaping and encoding change, so that every encoding differs. */
const SECRET = 'Kanari+enVogel/7f3a"9\\c1<e5&b8=d2%4a Gelb';
const PASSPHRASE = 'zwei+ter/Vogel"42\\<sing>&im=Kaefig%Blau';
const KEY = 'canary-key-that-is-no-secret';
const SYMBOL = 'SOL-USDT-M';

// A trace stores typed text, in the page and on disk.
test.use({ trace: 'off', screenshot: 'off' });
test.skip(
  process.env['CI'] === undefined && process.env['DBUS_SESSION_BUS_ADDRESS'] === undefined,
  'needs a session bus with a keyring: npm test starts one',
);

type Calls = Record<string, (input?: unknown) => Promise<{ readonly ok: boolean; readonly data: unknown }>>;
const call = (page: Page, name: string, input?: unknown): Promise<unknown> =>
  page.evaluate(([of, value]) => (globalThis as never as { ballast: Calls }).ballast[of]!(value), [
    name,
    input,
  ] as const);

/** A server that echoes each request, alternately as JSON and as a page. */
function createEcho() {
  let received = 0;
  const server = createServer((request, response) => {
    const all = JSON.stringify(request.headers);
    received++;
    response.writeHead(received % 2 === 0 ? 200 : 500, { 'x-echo': 'yes' });
    response.end(
      received % 3 === 0
        ? `<html><body>${all}</body></html>`
        : JSON.stringify({ code: '700001', msg: all, success: false, data: request.headers }),
    );
  });
  return {
    server,
    received: () => received,
    /** Listens where another server did. */
    listen: (url: string) =>
      new Promise<void>((done) => void server.listen(Number(new URL(url).port), '127.0.0.1', done)),
  };
}

const hits = (practice: Practice): Promise<number> =>
  controls(practice, '/faults').then((all) =>
    (all as readonly { readonly hits: number }[]).reduce((sum, one) => sum + one.hits, 0),
  );

/** Makes the reads fail once with each kind of fault. */
async function everyFault(page: Page, practice: Practice): Promise<void> {
  for (const action of ACTIONS) {
    const endpoint = action === 'page-drift' ? 'trades' : 'account';
    await controls(practice, '/faults', { endpoint, action, ms: 50 });
    await expect
      .poll(async () => {
        if (endpoint === 'account') await call(page, 'feeds.refresh', { name: 'account' });
        else await call(page, 'trades.sync', { connectionId: await activeId(page), action: 'start' });
        return hits(practice);
      })
      .toBeGreaterThan(0);
    await controls(practice, '/faults', undefined, 'DELETE');
  }
  await call(page, 'feeds.refresh', { name: 'account' });
}

const activeId = async (page: Page): Promise<string> =>
  ((await call(page, 'session.get')) as { readonly data: { readonly activeId: string } }).data.activeId;

/** Sends one order that is accepted, one rejected, and one whose reply is lost. */
async function trade(page: Page, practice: Practice): Promise<void> {
  const ticket = new Ticket(page);
  await goTo(page, 'positions');
  await expect(rows(page, 'Positions', SYMBOL).first()).toBeVisible();
  await ticket.choose(SYMBOL);
  for (const [outcome, rule] of [
    ['accepted', null],
    ['rejected', { action: 'code', code: '700017' }],
    ['unknown', { action: 'reset', accept: true }],
  ] as const) {
    await ticket.fill({ side: 'Buy', quantity: '1.5', price: '138.50' });
    if (rule !== null) await controls(practice, '/faults', { endpoint: 'order', ...rule });
    const sheet = await ticket.review();
    await sheet.press();
    if (outcome === 'rejected') await expect(sheet.root).toBeHidden();
    else {
      // The sheet follows its order: a lost one may be reconciled before this is read.
      const shown = outcome === 'unknown' ? /unknown|matched/ : outcome;
      await expect(page.getByTestId('confirm-outcome')).toHaveAttribute('data-state', shown);
      await page.keyboard.press('Escape');
      await expect(sheet.root).toBeHidden();
    }
  }
}

/** Saves every file the app offers. */
async function saveFiles({ app, page }: Ballast, folder: string): Promise<void> {
  await app.evaluate(({ dialog }, into) => {
    dialog.showSaveDialog = (...args: unknown[]) => {
      const { defaultPath = 'file' } = args.at(-1) as { readonly defaultPath?: string };
      return Promise.resolve({ canceled: false, filePath: `${into}/${defaultPath.split('/').at(-1)}` });
    };
  }, folder);
  const connectionId = await activeId(page);
  for (const [name, input] of [
    ['app.saveDiagnostics', undefined],
    ['connections.export', { connectionId }],
    ['archive.backup', { connectionId }],
  ] as const)
    expect(await call(page, name, input), name).toMatchObject({ ok: true });
  await goTo(page, 'trades');
  await exportShown(page);
}

test('leaves no trace of two secrets after a whole day', async ({ practice, profile }, info) => {
  const needles: readonly Needle[] = [...needlesOf(SECRET), ...needlesOf(PASSPHRASE)];
  const key = needlesOf(KEY);
  const found: Hit[] = [];
  const output: Buffer[] = [];
  // Short: Chromium makes a socket in it, whose path has 107 bytes.
  const places = { temporary: await mkdtemp(join(tmpdir(), 'c-')), saved: info.outputPath('saved') };
  await mkdir(places.saved, { recursive: true });
  // Includes the keyring's own folder, which the keyring's password encrypts.
  const homes = ['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'].flatMap(
    (name) => process.env[name] ?? [],
  );
  const folders = [profile, ...Object.values(places), ...(process.env['CI'] === undefined ? homes : [])];

  const exchange = await startPractice({ seed: 11, credentials: { key: KEY, secret: SECRET } });
  const echo = createEcho();
  const start = async (): Promise<Ballast> => {
    const ballast = await launch(profile, practice, { TMPDIR: places.temporary });
    const { stdout, stderr } = ballast.app.process();
    for (const stream of [stdout, stderr]) stream?.on('data', (chunk: Buffer) => output.push(chunk));
    return ballast;
  };
  let heaps = 0;
  let processes = 0;
  let files = 0;
  /** Searches everything available while the app runs. */
  const check = async (when: string, { app, page }: Ballast): Promise<void> => {
    const session = await page.context().newCDPSession(page);
    const heap = await heapOf(session);
    await session.detach();
    expect(heap.length).toBeGreaterThan(1_000_000);
    heaps++;
    found.push(...hitsIn(`heap of the page, ${when}`, heap, needles));
    found.push(...hitsIn(`page, ${when}`, Buffer.from(await pageText(page)), needles));
    const family = await searchProcesses(app.process().pid ?? 0, needles);
    const written = await searchFiles(folders, needles);
    processes = Math.max(processes, family.processes);
    files = Math.max(files, written.files);
    found.push(...family.hits, ...written.hits);
  };

  await test.step('typed, saved, tested, switched to; then killed', async () => {
    const ballast = await start();
    const { page } = ballast;
    const editor = await ConnectionEditor.add(page, {
      Name: 'Canary',
      'Base URL': exchange.url,
      'API key': KEY,
      Secret: SECRET,
    });
    await page.getByRole('button', { name: 'Add header' }).click();
    await editor.field('Extra header').fill('X-PASSPHRASE');
    await editor.form.getByText('Secret', { exact: true }).last().click();
    await editor.field('Value, in the keychain').fill(PASSPHRASE);
    await editor.save();
    await editor.test();
    await expect(editor.step('account')).toHaveAttribute('data-state', 'passed');
    await expect(page.getByRole('button', { name: /Canary/ })).toContainText('Secret in the system keychain');
    await page.getByRole('button', { name: 'Switch to it' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-account', 'live');
    await goTo(page, 'positions');
    await expect(rows(page, 'Positions', SYMBOL).first()).toBeVisible();
    await check('after it was typed and saved', ballast);
    await crash(ballast.app);
  });

  await test.step('read from the keychain: every fault, trades, files, keys echoed by a server; then killed', async () => {
    const ballast = await start();
    const { page } = ballast;
    await expect(page.locator('html')).toHaveAttribute('data-account', 'live');
    expect(await call(page, 'trading.setLock', { lock: 'off' })).toMatchObject({ ok: true });
    await trade(page, exchange);
    await everyFault(page, exchange);
    await saveFiles(ballast, places.saved);

    const connectionId = await activeId(page);
    // The exchange itself repeats the keys now: a stored secret is sent to no other address.
    await exchange.stop();
    await echo.listen(exchange.url);
    await call(page, 'connections.test', { connectionId });
    await expect.poll(() => echo.received()).toBeGreaterThan(6);
    await goTo(page, 'overview');
    await check('after a server echoed the keys', ballast);
    expect(await call(page, 'app.saveDiagnostics')).toMatchObject({ ok: true });
    await check('after a whole day', ballast);
    await crash(ballast.app);
  });

  await test.step('started again, and quit as a user does', async () => {
    const ballast = await start();
    await expect(ballast.page.locator('html')).toHaveAttribute('data-account', 'live');
    await goTo(ballast.page, 'activity');
    await check('at the end', ballast);
    await test.step('the search finds planted copies', async () => {
      const planted = `${SECRET} and ${PASSPHRASE}`;
      await ballast.page.evaluate((text) => Object.assign(globalThis, { planted: { text } }), planted);
      const session = await ballast.page.context().newCDPSession(ballast.page);
      expect(hitsIn('', await heapOf(session), needles)).not.toEqual([]);
    });
    await ballast.app.close();
  });
  echo.server.close();

  const written = await searchFiles(folders, needles);
  found.push(...written.hits, ...hitsIn('output', Buffer.concat(output), needles));

  await test.step('the search finds every encoding in a file, and the key where it is', async () => {
    const keys = await searchFiles([profile], key);
    expect(keys.hits.map(({ where }) => where)).toContain(join(profile, 'connections.json'));
    await writeFile(
      join(places.saved, 'planted'),
      Buffer.concat(needles.map(({ bytes }) => Buffer.concat([Buffer.from('..'), bytes]))),
    );
    const planted = await searchFiles([places.saved], needles);
    expect(planted.hits).toHaveLength(needles.length);
    const own = process.env['PATH'] ?? '';
    expect((await searchProcesses(process.pid, needlesOf(own).slice(0, 1))).hits).not.toEqual([]);
  });
  await rm(places.temporary, { recursive: true, force: true });
  process.stdout.write(
    `canary: ${files} files, ${heaps} heaps, ${processes} processes, ${Buffer.concat(output).length} bytes of output; ` +
      `${needles.length} needles; ${found.length} hits\n`,
  );
  expect(found).toEqual([]);
});
