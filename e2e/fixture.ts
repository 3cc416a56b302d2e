/**
 * The real app on a profile of its own, beside a practice exchange that the test can ask and disturb. The same specs
 * run on Electron where its binary is there, and on the stand-in elsewhere: only the path differs.
 */
import { test as base, _electron, expect, type ElectronApplication, type Page } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findElectron } from '../scripts/setup/electron.mjs';
import { startPractice } from '../src-practice/index.ts';
import type { Practice, PracticeOptions } from '../src-practice/index.ts';
import type { Result } from '../src-shared/contract/failures.ts';
import type { Settings } from '../src-shared/contract/settings.ts';

export const ROOT = resolve(import.meta.dirname, '..');

/** Electron's own executable when the set-up found it, else the stand-in. */
const { path: executablePath } = findElectron(ROOT);

export interface Ballast {
  readonly app: ElectronApplication;
  readonly page: Page;
  /** The profile's folder. */
  readonly profile: string;
}

/** Starts the app on `profile`; the caller closes it. */
export async function launch(
  profile: string,
  practice: Practice | null,
  env: Readonly<Record<string, string>> = {},
): Promise<Ballast> {
  const app = await _electron.launch({
    executablePath,
    args: [ROOT],
    cwd: ROOT,
    env: {
      ...(process.env as Record<string, string>),
      BALLAST_PROFILE: profile,
      ...(practice === null
        ? {}
        : {
            BALLAST_PRACTICE: JSON.stringify({
              url: practice.url,
              key: practice.credentials.key,
              secret: practice.credentials.secret,
              controls: { url: practice.controls.url, token: practice.controls.token },
              settings: practice.settings,
            }),
          }),
      ...env,
    },
  });
  const page = await app.firstWindow();
  await page.waitForURL(/bundle.*index\.html/);
  // Drawn once the first answers are in: a key pressed before that is nobody's.
  await page.locator('main').waitFor();
  return { app, page, profile };
}

/** Asks a practice exchange's controls: never part of the interface. */
export async function controls(
  practice: Practice,
  path: string,
  body?: unknown,
  method: 'GET' | 'POST' | 'DELETE' = body === undefined ? 'GET' : 'POST',
): Promise<unknown> {
  const answer = await fetch(`${practice.controls.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${practice.controls.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`controls ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Requests a practice exchange has received, per endpoint. */
export async function received(practice: Practice): Promise<Record<string, number>> {
  const state = (await controls(practice, '/state')) as { readonly received: Record<string, number> };
  return state.received;
}

/** A call of the bridge from the window, for what would take many clicks; throws the failure's words. */
export const ask = <T>(page: Page, name: string, input?: unknown): Promise<T> =>
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

/** As a person would by Settings. */
export async function changeSettings(page: Page, part: Partial<Settings>): Promise<void> {
  await ask(page, 'settings.set', { ...(await ask<Settings>(page, 'settings.get')), ...part });
}

export async function setTheme(page: Page, theme: 'dark' | 'light'): Promise<void> {
  await changeSettings(page, { theme });
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
}

interface Fixtures {
  /** Options of the practice exchange; `test.use({ exchange: { seed: 9 } })`. */
  readonly exchange: PracticeOptions;
  readonly practice: Practice;
  readonly profile: string;
  readonly ballast: Ballast;
  readonly page: Page;
}

export const test = base.extend<Fixtures>({
  exchange: [{ seed: 7 }, { option: true }],
  practice: async ({ exchange }, use) => {
    const practice = await startPractice(exchange);
    await use(practice);
    await practice.stop();
  },
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
  profile: async ({}, use) => {
    const profile = await mkdtemp(join(tmpdir(), 'ballast-'));
    await use(profile);
    await rm(profile, { recursive: true, force: true });
  },
  ballast: async ({ practice, profile }, use) => {
    const ballast = await launch(profile, practice);
    await use(ballast);
    await ballast.app.close();
  },
  page: async ({ ballast }, use) => {
    await use(ballast.page);
  },
});

export { expect };
