/** Every save reports where the file is, that it was cancelled, or why it failed. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, SHARED, test, type Ballast } from './fixture.ts';
import { ConnectionEditor, goTo, ownFolder, saveAs } from './page-objects.ts';

const notices = (page: Page) => page.getByRole('log', { name: 'Notices' });
const cancelSaves = ({ app }: Ballast): Promise<void> =>
  app.evaluate(({ dialog }) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: true, filePath: '' });
  });

/** Each save of the app: how it is started, and where its result is shown. */
const SAVES: readonly {
  readonly name: string;
  readonly file: string;
  readonly ask: (page: Page) => Promise<void>;
  readonly message?: (page: Page) => ReturnType<Page['locator']>;
}[] = [
  {
    name: 'trades as CSV',
    file: 'trades.csv',
    async ask(page) {
      if ((await page.getByRole('region', { name: 'Export CSV' }).count()) === 0) {
        await goTo(page, 'trades');
        await page.keyboard.press('Control+e');
      }
      await page
        .getByRole('region', { name: 'Export CSV' })
        .getByRole('button', { name: /^Export \d/ })
        .click();
    },
    message: (page) => page.locator('[data-export]'),
  },
  {
    name: 'diagnostics',
    file: 'diagnostics.json',
    async ask(page) {
      await goTo(page, 'settings');
      await page.getByRole('navigation', { name: 'Settings sections' }).getByText('About').click();
      await page.getByRole('button', { name: 'Save diagnostics…' }).click();
    },
  },
  {
    name: 'the batch template',
    file: 'template.csv',
    async ask(page) {
      await goTo(page, 'batch');
      await page.getByRole('button', { name: 'Save template…' }).first().click();
    },
  },
  {
    name: 'a backup of the archive',
    file: 'backup.sqlite',
    async ask(page) {
      await goTo(page, 'settings');
      await page
        .getByRole('navigation', { name: 'Settings sections' })
        .getByText('Data', { exact: true })
        .click();
      await page.getByRole('button', { name: 'Back up…' }).click();
    },
    message: (page) => page.locator('main'),
  },
  {
    name: 'a connection',
    file: 'connection.json',
    async ask(page) {
      if ((await page.getByRole('button', { name: 'Export…' }).count()) === 0) {
        const editor = await ConnectionEditor.add(page, {
          Name: 'Saved',
          'Base URL': 'https://127.0.0.1:9',
          'API key': 'key',
          Secret: 'secret of a test',
        });
        await editor.save();
      }
      await page.getByRole('button', { name: 'Export…' }).click();
    },
  },
];

for (const { name, file, ask, message = notices } of SAVES) {
  test(`reports the result of saving ${name}`, SHARED, async ({ ballast, page }) => {
    const folder = await ownFolder();
    await cancelSaves(ballast);
    await ask(page);
    // Both at once: the notice leaves after some seconds.
    await expect(notices(page)).toContainText(/Save cancelled\s*No file was written\./);

    const missing = join(folder, 'no such folder', file);
    await saveAs(ballast, missing);
    await ask(page);
    await expect(message(page)).toContainText(/was not written: |could not be written/);

    const path = join(folder, file);
    await saveAs(ballast, path);
    await ask(page);
    await expect(message(page)).toContainText(path);
    expect((await readFile(path)).length).toBeGreaterThan(0);
  });
}
