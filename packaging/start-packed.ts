/** Starts the packed app and makes one request to each of its processes; runs its commands. */
import { _electron } from 'playwright';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { findElectron } from '../scripts/setup/electron.mjs';
import { hasDisplay } from '../scripts/setup/programs.mjs';
import { sandboxWorks } from '../scripts/setup/sandbox.mjs';
import type { Bridge } from '../src-shared/ipc/calls.ts';
import { SIGNING_PRESETS } from '../src-shared/ipc/signing.ts';

const ROOT = dirname(import.meta.dirname);
/** Electron itself where it is installed and has a display, else the stand-in, which needs no display. */
const executablePath = hasDisplay() ? findElectron(ROOT).path : join(ROOT, 'electron-standin', 'electron');

/** `app`: the folder of the unpacked archive; `scratch`: a folder for the profile. Returns the errors found. */
export async function startPacked(app: string, scratch: string): Promise<string[]> {
  const running = await _electron.launch({
    executablePath,
    chromiumSandbox: sandboxWorks(ROOT),
    args: [app],
    cwd: scratch,
    env: {
      ...(process.env as Record<string, string>),
      BALLAST_PROFILE: join(scratch, 'profile'),
      BALLAST_STANDIN_HEADLESS: '1',
    },
  });
  try {
    const page = await running.firstWindow();
    await page.waitForURL(/bundle.*index\.html/);
    await page.locator('[data-screen="positions"]').click();
    await page.locator('main [data-loading]').waitFor({ state: 'detached' });
    // The practice exchange's worker replied over HTTP, and its account was read.
    await page.waitForFunction(async () => {
      const { ballast } = globalThis as never as { ballast: Bridge };
      const feeds = await ballast['feeds.get'](undefined);
      return feeds.ok && feeds.data.account.value !== null;
    });
    return await page.evaluate(async (signing) => {
      const { ballast } = globalThis as never as { ballast: Bridge };
      const faults: string[] = [];
      const licences = await ballast['app.licences'](undefined);
      if (!licences.ok || licences.data.length < 20) faults.push('About has no licences');
      const { ok: isThere } = await ballast['archive.coverage']({ connectionId: 'practice' });
      if (!isThere) faults.push('the archive’s worker does not answer');
      // Only keytar, loaded from beside the archive, can have stored it.
      const added = await ballast['connections.add']({
        settings: {
          name: 'Packed',
          baseUrl: 'https://127.0.0.1:9',
          apiKey: 'key',
          signing,
          pageUrl: null,
          triggerTypes: [],
          refusalCodes: [],
          reverseQuantity: 'unset',
          convention: 'flat',
          readOnly: true,
        },
        secret: { secret: 'of a check', headers: {} },
      });
      if (!added.ok) faults.push(`no connection could be added: ${added.failure.message}`);
      else if (added.data.secret !== 'stored')
        faults.push(`the keychain holds no secret: ${added.data.secret}`);
      return faults;
    }, SIGNING_PRESETS.practice.profile);
  } finally {
    await running.close();
  }
}

/** Runs the export without a display, up to the keychain, which only keytar in its thread can have asked. */
export function exportPacked(app: string, scratch: string): string[] {
  const { DISPLAY: _x11, WAYLAND_DISPLAY: _wayland, ...env } = process.env;
  const account =
    '--base-url=http://127.0.0.1:9 --key-env=PATH --keychain=none --signing=practice --out=a.csv';
  const { status, stdout, stderr } = spawnSync(executablePath, [app, 'export', ...account.split(' ')], {
    ...{ cwd: scratch, encoding: 'utf8', timeout: 60_000 },
    env: { ...env, BALLAST_PROFILE: join(scratch, 'profile') },
  });
  const isAsked = stderr.includes('The keychain has no secret for the connection none');
  return status === 2 && isAsked ? [] : [`it ended with ${status}: ${stdout}${stderr}`];
}
