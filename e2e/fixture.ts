/**
 * Test fixtures: the real app on a new profile, with a practice exchange that the test can query and disturb. The
 * same specs run on Electron where its binary is installed, else on the stand-in: only the path differs.
 */
import { test as base, _electron, expect, type ElectronApplication, type Page } from '@playwright/test';
import { subscribe } from 'node:diagnostics_channel';
import { mkdtemp, rm } from 'node:fs/promises';
import type { ClientRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findElectron } from '../scripts/setup/electron.mjs';
import { sandboxWorks } from '../scripts/setup/sandbox.mjs';
import { createClient, type ExchangeClient } from '../src-main/exchange/client.ts';
import { startPractice } from '../src-practice/index.ts';
import type { EndpointName } from '../src-practice/http/endpoints.ts';
import type { Practice, PracticeOptions } from '../src-practice/index.ts';
import type { SessionState } from '../src-shared/ipc/calls.ts';
import type { Result } from '../src-shared/ipc/failures.ts';
import type { Settings } from '../src-shared/ipc/settings.ts';
import { control } from '../tests/practice/controls.ts';

export const ROOT = resolve(import.meta.dirname, '..');

/** Electron's own executable when the set-up found it, else the stand-in. */
const { path: executablePath } = findElectron(ROOT);
/** With a sandbox, as users run it, where one is available. */
export const chromiumSandbox = sandboxWorks(ROOT);

/** Only ends what hangs, as the limits in playwright.config.ts, which do not apply to Electron: it has 30 s. */
export const ACTION_MS = 120_000;

/** A test is over before optimised code pays off: compiling it costs more than it saves, except in long axe runs. */
const WITHOUT_OPTIMISING = '--js-flags=--no-opt --no-maglev';

// Playwright offers Chromium to compress their messages: on one machine a fifth of its own work, and none saved.
subscribe('http.client.request.created', (message) => {
  const { request } = message as { readonly request: ClientRequest };
  if (request.getHeader('upgrade') === 'websocket') request.removeHeader('sec-websocket-extensions');
});

export interface Ballast {
  readonly app: ElectronApplication;
  readonly page: Page;
  /** The profile's folder. */
  readonly profile: string;
}

/** The environment that connects the app to a practice exchange of the test. */
export const practiceEnv = ({ url, credentials, controls, settings }: Practice) => ({
  BALLAST_PRACTICE: JSON.stringify({
    ...{ url, key: credentials.key, secret: credentials.secret, settings },
    controls: { url: controls.url, token: controls.token },
  }),
});

/** Starts the app on `profile`; the caller closes it. */
export async function launch(
  profile: string,
  practice: Practice | null,
  env: Readonly<Record<string, string>> = {},
): Promise<Ballast> {
  const app = await _electron.launch({
    executablePath,
    args: [WITHOUT_OPTIMISING, ROOT],
    cwd: ROOT,
    // Playwright disables it by default.
    chromiumSandbox,
    env: {
      ...(process.env as Record<string, string>),
      BALLAST_PROFILE: profile,
      ...(practice === null ? {} : practiceEnv(practice)),
      ...env,
    },
  });
  const page = await app.firstWindow({ timeout: ACTION_MS });
  page.setDefaultTimeout(ACTION_MS);
  // Animations cost frames; tests about them enable them.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.waitForURL(/bundle.*index\.html/);
  // Drawn once the first replies arrived: a key pressed before that has no effect.
  await page.locator('main').waitFor();
  return { app, page, profile };
}

/** Resolves when the app has ended; called before what ends it. */
export const ending = (app: ElectronApplication): Promise<unknown> =>
  app.waitForEvent('close', { timeout: ACTION_MS });

/** Calls a practice exchange's controls, which are not part of the exchange API. */
export async function controls(
  practice: Practice,
  path: string,
  body?: unknown,
  method: 'GET' | 'POST' | 'DELETE' = body === undefined ? 'GET' : 'POST',
): Promise<unknown> {
  return JSON.parse(await control(practice, method, path, body)) as unknown;
}

/** Keeps replies back until the faults are cleared, `times` of them or all. The exchange acts on the requests. */
export const holdReplies = (practice: Practice, endpoint: EndpointName, times = 0): Promise<unknown> =>
  controls(practice, '/faults', { endpoint, action: 'delay', ms: 600_000, times });

export const clearFaults = (practice: Practice): Promise<unknown> =>
  controls(practice, '/faults', undefined, 'DELETE');

/** Stops the exchange's clock, and every price with it; resolves when the app has read the account since. */
export async function stopPrices(practice: Practice): Promise<void> {
  await controls(practice, '/clock', { speed: 0 });
  const reads = async (): Promise<number> => (await received(practice))['account'] ?? 0;
  const before = await reads();
  // The second read begins after the reply to the first.
  await expect.poll(reads).toBeGreaterThan(before + 1);
}

/** Another client of the same account: its orders are foreign to the app. The caller closes it. */
export const clientOf = ({ url, credentials }: Practice): ExchangeClient =>
  createClient({ baseUrl: url, credentials, signing: 'practice', clock: { now: () => Date.now() } });

/** Requests a practice exchange has received, per endpoint. */
export async function received(practice: Practice): Promise<Record<string, number>> {
  const state = (await controls(practice, '/state')) as { readonly received: Record<string, number> };
  return state.received;
}

/** Calls the bridge from the window, in place of many clicks; throws the failure's message. */
export const callBridge = <T>(page: Page, name: string, input?: unknown): Promise<T> =>
  page.evaluate(
    async ([name, input]) => {
      const { ballast } = globalThis as never as {
        ballast: Record<string, (input?: unknown) => Promise<Result<T>>>;
      };
      const answer = await ballast[name]!(input);
      if (!answer.ok) throw new Error(answer.failure.message);
      return answer.data;
    },
    [name, input] as const,
  );

/** Returns the settings once the window of a first start has stored its version, which writes all of them. */
async function settledSettings(page: Page): Promise<Settings> {
  const settings = (): Promise<Settings> => callBridge(page, 'settings.get');
  await expect.poll(async () => (await settings()).seenVersion).not.toBeNull();
  return settings();
}

/** Changes settings, as a user would in Settings. */
export async function changeSettings(page: Page, part: Partial<Settings>): Promise<void> {
  await callBridge(page, 'settings.set', { ...(await settledSettings(page)), ...part });
}

export async function setTheme(page: Page, theme: 'dark' | 'light'): Promise<void> {
  await changeSettings(page, { theme });
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
}

/** The seed determines prices and the account's past: the same in every test that does not set another. */
const EXCHANGE: PracticeOptions = { seed: 7 };
const PRACTICE = 'practice';
/** The size after a first start. */
const WINDOW = { width: 1440, height: 900 };

const newProfile = (): Promise<string> => mkdtemp(join(tmpdir(), 'ballast-'));

/**
 * Tag of tests that share one start of the app, each beginning in the state of a fresh start (rules: e2e/README.md).
 */
export const SHARED = { tag: '@shared' } as const;

interface Started {
  readonly ballast: Ballast;
  readonly practice: Practice;
  /** As the first start leaves them. */
  readonly settings: Settings;
}

/** What the exchange received and what the account holds. */
async function accountOf(practice: Practice): Promise<string> {
  const { account, received } = (await controls(practice, '/state')) as {
    readonly account: object;
    readonly received: Record<string, number>;
  };
  return JSON.stringify({ ...account, sent: [received['order'], received['batchOrders']] });
}

async function freshStart(): Promise<Started> {
  const practice = await startPractice(EXCHANGE);
  const ballast = await launch(await newProfile(), practice);
  const { app, page } = ballast;
  await app.evaluate(({ dialog, shell }) => {
    const members = (of: object, ...names: string[]): object =>
      Object.fromEntries(names.map((name) => [name, Reflect.get(of, name)]));
    const own = {
      dialog: members(dialog, 'showOpenDialog', 'showSaveDialog', 'showMessageBox'),
      shell: members(shell, 'openExternal', 'openPath'),
    };
    Object.assign(globalThis, { own });
  });
  return { ballast, practice, settings: await settledSettings(page) };
}

/** Resets the state of main process, profile and exchange by name, and reloads the page. */
async function putBack({ ballast: { app, page }, practice, settings }: Started): Promise<void> {
  await app.evaluate(({ dialog, shell }) => {
    const { own } = globalThis as unknown as { own: { dialog: object; shell: object } };
    Object.assign(dialog, own.dialog);
    Object.assign(shell, own.shell);
  });
  await clearFaults(practice);
  await callBridge(page, 'trading.setLock', { lock: 'off' });
  await callBridge(page, 'settings.set', settings);
  const { connections } = await callBridge<SessionState>(page, 'session.get');
  await callBridge(page, 'connections.select', { connectionId: PRACTICE });
  for (const { id } of connections)
    if (id !== PRACTICE)
      await callBridge(page, 'connections.remove', {
        connectionId: id,
        leaveSecret: false,
        deleteArchive: true,
      });
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: null, forcedColors: null });
  await page.setViewportSize(WINDOW);
  await page.mouse.move(0, 0);
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await page.locator('main').waitFor();
}

/** Prices move while it runs: after longer, as on a busy machine, a position may be near its liquidation. */
const SHARED_MS = 300_000;

/** The start that the shared tests of a worker have in common. */
class SharedStart {
  #started: Started | null = null;
  #since = 0;
  /** Orders received and the account's state, which no shared test may change. */
  #account = '';

  /** Returns the app in the state of a fresh start: starts it for the first test, resets it for the next. */
  async take(): Promise<Started> {
    if (performance.now() - this.#since > SHARED_MS) await this.end();
    if (this.#started === null) {
      this.#started = await freshStart();
      this.#since = performance.now();
    } else await putBack(this.#started);
    this.#account = await accountOf(this.#started.practice);
    return this.#started;
  }

  /** Throws when the test has changed the account: such a test needs a start of its own. */
  async giveBack(): Promise<void> {
    const now = this.#started === null ? '' : await accountOf(this.#started.practice);
    if (now !== this.#account)
      throw new Error(`a test that shares its start changed the account: ${this.#account} → ${now}`);
  }

  async end(): Promise<void> {
    if (this.#started === null) return;
    const { ballast, practice } = this.#started;
    this.#started = null;
    await ballast.app.close();
    await practice.stop();
    await rm(ballast.profile, { recursive: true, force: true });
  }
}

interface Fixtures {
  /** Options of the practice exchange; `test.use({ exchange: { seed: 9 } })`. */
  readonly exchange: PracticeOptions;
  /** Null for a test that starts the app itself. */
  readonly shared: Started | null;
  readonly practice: Practice;
  readonly profile: string;
  readonly ballast: Ballast;
  readonly page: Page;
  /** Another exchange, for a connection being typed or a second one. */
  readonly other: Practice;
}

export const test = base.extend<Fixtures, { readonly sharedStart: SharedStart }>({
  exchange: [EXCHANGE, { option: true }],
  sharedStart: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const start = new SharedStart();
      await use(start);
      await start.end();
    },
    { scope: 'worker' },
  ],
  shared: async ({ exchange, sharedStart }, use, { tags }) => {
    if (!tags.includes(SHARED.tag)) {
      await use(null);
      return;
    }
    if (exchange !== EXCHANGE) throw new Error('a test that shares its start takes the standard exchange');
    await use(await sharedStart.take());
    await sharedStart.giveBack();
  },
  practice: async ({ exchange, shared }, use) => {
    if (shared !== null) {
      await use(shared.practice);
      return;
    }
    const practice = await startPractice(exchange);
    await use(practice);
    await practice.stop();
  },
  profile: async ({ shared }, use) => {
    if (shared !== null) {
      await use(shared.ballast.profile);
      return;
    }
    const profile = await newProfile();
    await use(profile);
    await rm(profile, { recursive: true, force: true });
  },
  ballast: async ({ practice, profile, shared }, use) => {
    const ballast = shared?.ballast ?? (await launch(profile, practice));
    await use(ballast);
    if (shared === null) await ballast.app.close();
  },
  page: async ({ ballast }, use) => {
    await use(ballast.page);
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
  other: async ({}, use) => {
    const other = await startPractice({ seed: 11 });
    await use(other);
    await other.stop();
  },
});

export { expect };
