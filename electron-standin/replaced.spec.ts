// A page may be replaced, reloaded or closed while the app sends it messages: no such message may end the app or
// log an error.
import { join } from 'node:path';
import { _electron, expect, test } from '@playwright/test';

const root = import.meta.dirname;
const executablePath = join(root, 'electron');
const cwd = join(root, 'fixture');

for (const how of ['reload', 'loadURL', 'location', 'crash', 'close'] as const) {
  test(`keeps running while its page is replaced (${how})`, async () => {
    const app = await _electron.launch({ executablePath, args: ['strict.mjs'], cwd });
    let output = '';
    app.process().stderr?.on('data', (chunk) => (output += String(chunk)));
    // Electron's own limit of 30 s counts the work of a busy machine.
    const page = await app.firstWindow({ timeout: 120_000 });
    page.setDefaultTimeout(120_000);
    await page.waitForURL(/bundle/);
    const rounds = how === 'close' || how === 'crash' ? 1 : 30;
    await app.evaluate(
      async (_electron, { how, rounds }) => {
        const { strict } = globalThis as unknown as {
          strict: { replaceOften(how: string, rounds: number): Promise<void> };
        };
        await strict.replaceOften(how, rounds);
      },
      { how, rounds },
    );
    // The process is alive, and has processed what came back over the pipe meanwhile.
    expect(await app.evaluate(({ app: one }) => one.isReady())).toBe(true);
    expect(output).not.toMatch(/electron-standin: (?!this is|the clipboard)|Uncaught|UnhandledPromise/);
    await app.close();
  });
}
