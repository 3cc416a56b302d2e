/**
 * A keychain that is missing, locked, prompting, frozen or wrong: reading, changing and removing a secret in each
 * state. The window keeps running, shows a message, and nothing in the keychain is overwritten.
 * `KEYCHAIN_STATES=all` is the long form (`npm run test:stress -- keychain`): all six, messages within 10 s.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { connectionSettings } from '../tests/session/connection-settings.ts';
import {
  ID,
  mayRemove,
  missingFor,
  prepare,
  STATES,
  type Action,
  type State,
} from '../tests/vault/keychain-states.ts';
import { skipReason } from '../tests/vault/private-keyring.ts';
import { expect, launch, test } from './fixture.ts';
import { goTo, rows } from './page-objects.ts';

const isLong = process.env['KEYCHAIN_STATES'] === 'all';
/** In the short form a message is only awaited. */
const WITHIN = isLong ? { timeout: 10_000 } : {};
/** Those that respond at once; the others take 9.5 s each. */
const SHORT: readonly State[] = ['no bus', 'locked', 'wrong content'];

const GONE = /no message bus|no keychain|keychain service|keychain .*not available/i;
const WAITING = /Waiting for your keychain/;
const NOT_SHOWN = /Secret missing, or the keychain is locked/;
const NOT_OVERWRITTEN = /was not overwritten/;
const ALL = (message: RegExp): Record<'get' | 'set' | 'delete', RegExp> => ({
  get: message,
  set: message,
  delete: message,
});
const NOT_REMOVED = /The stored secret was not removed/;
const WORDS: Readonly<Record<State, Readonly<Record<'get' | 'set' | 'delete', RegExp>>>> = {
  'no bus': { ...ALL(GONE), delete: NOT_REMOVED },
  'no service': { ...ALL(GONE), delete: NOT_REMOVED },
  locked: { get: NOT_SHOWN, set: NOT_OVERWRITTEN, delete: /did not confirm that the old entry was removed/ },
  'prompt unanswered': ALL(WAITING),
  frozen: ALL(WAITING),
  'wrong content': {
    get: NOT_SHOWN,
    set: NOT_OVERWRITTEN,
    delete: /Desk removed/,
  },
};

/** A connection whose secret was stored before; practice is the open one. */
function writeProfile(profile: string): void {
  const settings = connectionSettings({ name: 'Desk', apiKey: 'key-of-the-desk' });
  const connections = [{ id: ID, settings, proven: true, createdAt: 1 }];
  writeFileSync(
    join(profile, 'connections.json'),
    JSON.stringify({ version: 1, activeId: 'practice', connections }),
  );
  writeFileSync(join(profile, 'secrets-index.json'), JSON.stringify({ version: 1, ids: [ID] }));
}

const ACTS: Readonly<Record<'get' | 'set' | 'delete', (page: Page) => Promise<void>>> = {
  // The start reads the state of every secret.
  get: () => Promise.resolve(),
  async set(page) {
    await page.locator('main').getByRole('button', { name: /Desk/ }).click();
    await page.getByLabel('Secret', { exact: true }).fill('another secret');
    await page.getByRole('button', { name: 'Save changes' }).click();
  },
  async delete(page) {
    await page.locator('main').getByRole('button', { name: /Desk/ }).click();
    await page.getByRole('button', { name: 'Remove…', exact: true }).click();
    await page.getByLabel('Type “Desk” to remove it').fill('Desk');
    await page.getByRole('button', { name: 'Remove connection', exact: true }).click();
  },
};

/** The actions of one start. Where removing works, an earlier overwrite would go unnoticed. */
const startsOf = (state: State): readonly (readonly Action[])[] =>
  mayRemove(state, 'delete') ? [['get', 'set'], ['delete']] : [['get', 'set', 'delete']];

for (const state of STATES.filter((one) => isLong || SHORT.includes(one)))
  for (const actions of startsOf(state))
    test(`${state}: ${actions.join(', ')}`, async ({ practice, profile }) => {
      const missing = skipReason === '' ? missingFor(state) : skipReason;
      test.skip(missing !== null, missing ?? '');
      writeProfile(profile);
      const keychain = await prepare(state);
      let overwritten: boolean;
      const { app, page } = await launch(profile, practice, {
        DBUS_SESSION_BUS_ADDRESS: keychain.env['DBUS_SESSION_BUS_ADDRESS'] ?? 'unix:path=/nonexistent',
        XDG_RUNTIME_DIR: keychain.env['XDG_RUNTIME_DIR'] ?? '/nonexistent',
      });
      try {
        if (state === 'no bus')
          await expect(
            page.getByRole('alert').filter({ hasText: 'keychain is not available' }),
          ).toBeVisible();
        for (const action of actions) {
          await goTo(page, 'settings');
          const from = performance.now();
          await ACTS[action](page);
          const message = page
            .locator('main, dialog[open], [role=log]')
            .getByText(WORDS[state][action])
            .first();
          await expect(message).toBeVisible(WITHIN);
          const seconds = ((performance.now() - from) / 1000).toFixed(1);
          process.stdout.write(
            `${state.padEnd(18)} ${action.padEnd(7)} ${seconds} s  ${(await message.textContent())?.trim().slice(0, 90) ?? ''}\n`,
          );
          // The window keeps responding meanwhile.
          await page.keyboard.press('Escape');
          await goTo(page, 'positions');
          await expect(rows(page, 'Positions', 'SOL-USDT-M').first()).toBeVisible();
        }
      } finally {
        await app.close();
        overwritten = await keychain.overwritten(actions.some((action) => mayRemove(state, action)));
      }
      expect(overwritten).toBe(false);
    });

test('frozen: what the start found in the order journal is reported at once', async ({
  practice,
  profile,
}) => {
  test.skip(skipReason !== '', skipReason);
  writeProfile(profile);
  writeFileSync(join(profile, 'orders.jsonl'), 'not a line of the journal\n');
  const keychain = await prepare('frozen');
  const { app, page } = await launch(profile, practice, {
    DBUS_SESSION_BUS_ADDRESS: keychain.env['DBUS_SESSION_BUS_ADDRESS'] ?? '',
  });
  try {
    await expect(page.getByRole('log', { name: 'Notices' })).toContainText(/journal/);
    await goTo(page, 'settings');
    await expect(page.locator('main').getByRole('button', { name: /Desk/ })).toContainText(
      'Waiting for the keychain',
    );
  } finally {
    await app.close();
    await keychain.overwritten(false);
  }
});
