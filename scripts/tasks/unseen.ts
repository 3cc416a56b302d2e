/** Runs the app without a visible window and screenshots its Overview once. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { _electron, errors, type Page } from 'playwright';
import { printLine } from '../setup/messages.mjs';
import { root } from './process.ts';
import { electronCommand } from './session.ts';

const PICTURE = join(root, '.cache', 'overview.png');
const SIZE = { width: 1440, height: 900 };
const DRAWN_WITHIN_MS = 60_000;

interface Unseen {
  /** For the app, after its own folder. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly once: boolean;
}

/** Resolves to the exit code: at once after the screenshot, or when the app has ended. */
export async function drawUnseen({ args, env, once }: Unseen): Promise<number> {
  const [executablePath, ...flags] = electronCommand(root, ...args);
  const app = await _electron.launch({
    executablePath,
    args: flags,
    cwd: root,
    // An ordinary user's page is sandboxed as usual; only root can't have a sandbox.
    chromiumSandbox: process.getuid?.() !== 0,
    env: { ...process.env, ...env, BALLAST_STANDIN_HEADLESS: '1' },
  });
  const running = app.process();
  const ended = new Promise<number>((resolve) => running.once('exit', (code) => resolve(code ?? 1)));
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Other handlers would end this process before the app has saved.
    process.removeAllListeners(signal);
    process.on(signal, () => {
      ending.abort();
      // It has its own process group, which a terminal's keys do not reach.
      running.kill(signal);
    });
  }
  let drawn: boolean;
  try {
    drawn = await draw(await app.firstWindow());
  } catch (error) {
    if (ending.signal.aborted) return ended;
    throw error;
  }
  printLine(
    drawn
      ? `  Screenshot of the Overview: ${PICTURE}`
      : `✗ The Overview was not drawn within ${DRAWN_WITHIN_MS / 1000} s.`,
  );
  printLine('  For a window, start it in a desktop session, or on a virtual display: xvfb-run -a npm start');
  if (once || !drawn) {
    await app.close();
    return drawn ? 0 : 1;
  }
  printLine('  Ballast keeps running with its practice exchange until Ctrl C.');
  return ended;
}

/** Reports whether the screenshot was written. */
async function draw(page: Page): Promise<boolean> {
  page.setDefaultTimeout(DRAWN_WITHIN_MS);
  try {
    await page.waitForURL(/index\.html/);
    await page.locator('main h1').waitFor();
    await page.locator('main [data-loading], main [aria-busy="true"]').first().waitFor({ state: 'detached' });
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false;
    throw error;
  }
  await page.setViewportSize(SIZE);
  await mkdir(dirname(PICTURE), { recursive: true });
  await page.screenshot({ animations: 'disabled', path: PICTURE });
  return true;
}
