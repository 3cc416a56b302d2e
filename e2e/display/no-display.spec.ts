/** `npm start` without a display: prints that, saves one screenshot, and keeps running until Ctrl C. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, Program, test } from './desktop.ts';
import { ROOT } from '../fixture.ts';

// One after the other: both write the same file.
test.describe.configure({ mode: 'default' });

const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...withoutDisplay } = process.env;
const PICTURE = /^ {2}Screenshot of the Overview: (.*\.png)$/m;

for (const once of [true, false]) {
  test(`draws the Overview and ${once ? 'ends, with --once' : 'keeps running until it is ended'}`, async () => {
    const profile = await mkdtemp(join(tmpdir(), 'ballast-'));
    const started = Date.now();
    const line = [join(ROOT, 'scripts/run.mjs'), 'start', ...(once ? ['--once'] : [])];
    const app = new Program(process.execPath, line, { ...withoutDisplay, BALLAST_PROFILE: profile });
    try {
      await expect.poll(() => app.output()).toMatch(PICTURE);
      expect(app.output()).toContain('There is no display');
      expect(app.output()).toContain('xvfb-run -a npm start');
      const path = PICTURE.exec(app.output())?.[1] ?? '';
      expect((await stat(path)).mtimeMs).toBeGreaterThan(started);
      const png = await readFile(path);
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1440, 900]);
      // An empty page compresses to a few kilobytes.
      expect(png.length).toBeGreaterThan(40_000);
      if (once) {
        expect(await app.whenEnded(), app.output()).toBe(0);
        return;
      }
      await expect.poll(() => app.output()).toContain('until Ctrl C');
      expect(app.isRunning()).toBe(true);
    } finally {
      await app.end();
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }
  });
}
