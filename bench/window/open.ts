/** Opens the built app, or the empty window it is compared with, as the end-to-end tests do. */
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findElectron } from '../../scripts/setup/electron.mjs';

/** Only ends what hangs: the driver's own limit is 30 s. */
const ACTION_MS = 120_000;

const root = dirname(dirname(import.meta.dirname));
export const EMPTY_WINDOW = join(root, 'bench', 'empty-window');
export const BALLAST = root;

export interface Opened {
  readonly app: ElectronApplication;
  readonly page: Page;
  /** ms from spawning until `ready` was visible. */
  readonly visibleMs: number;
  readonly close: () => Promise<void>;
}

/**
 * @param folder of the app; @param ready selector of the element to wait for; @param givenProfile a profile the caller
 *   removes
 */
export async function open(
  folder: string,
  ready: string,
  env: Record<string, string> = {},
  givenProfile?: string,
): Promise<Opened> {
  const profile = givenProfile ?? mkdtempSync(join(tmpdir(), 'bench-window-'));
  const { path, real } = findElectron(root);
  if (!real) process.env['ELECTRON_OVERRIDE_DIST_PATH'] = dirname(path);
  const started = performance.now();
  const app = await _electron.launch({
    args: [folder],
    cwd: root,
    env: {
      ...(process.env as Record<string, string>),
      BALLAST_STANDIN_HEADLESS: '1',
      BALLAST_PROFILE: profile,
      ...env,
    },
  });
  const page = await app.firstWindow({ timeout: ACTION_MS });
  page.setDefaultTimeout(ACTION_MS);
  await page.waitForURL(/bundle/);
  await page.locator(ready).first().waitFor();
  return {
    app,
    page,
    visibleMs: performance.now() - started,
    async close() {
      await app.close();
      if (givenProfile === undefined) rmSync(profile, { recursive: true, force: true });
    },
  };
}
