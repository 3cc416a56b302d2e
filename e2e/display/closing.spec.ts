/** Closing by the window manager asks the same as quitting, and the answer applies. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Desktop, expect, type Frame, opened, pressUntil, sendLimitOrder, test } from './desktop.ts';
import { controls } from '../fixture.ts';

/** Presses the closing key until the app asks. */
async function closeUntilAsked(desktop: Desktop, frame: Frame): Promise<void> {
  await pressUntil(
    () => frame.close(),
    async () => (await desktop.dialogsOf(frame)).length,
    1,
  );
  const dialog = await desktop.dialogOf(frame);
  // A key pressed again has moved the focus to the window behind it.
  await dialog.activate();
  await desktop.ready(dialog);
}

const DIALOGS = { GTK: {}, 'own window': { BALLAST_STANDIN_DIALOGS: 'window' } };

for (const [name, env] of Object.entries(DIALOGS)) {
  test(`asks before quitting with an unknown outcome, and can be kept open (${name})`, async ({
    desktop,
    profile,
    practice,
  }) => {
    await controls(practice, '/faults', { endpoint: 'order', action: 'reset', accept: false });
    const { app, frame, area } = await opened(desktop, { profile, practice, env });
    await sendLimitOrder(desktop, area, practice);
    await expect.poll(() => readFile(join(profile, 'orders.jsonl'), 'utf8')).toContain('"lose"');

    for (const keeps of ['Escape', 'Return']) {
      await closeUntilAsked(desktop, frame);
      await desktop.press(keeps);
      await expect.poll(async () => (await desktop.dialogsOf(frame)).length).toBe(0);
      expect([app.isRunning(), await frame.isMapped()], keeps).toEqual([true, true]);
    }

    await closeUntilAsked(desktop, frame);
    await desktop.press('Tab', 'Return');
    expect(await app.whenEnded()).toBe(0);
  });
}

test('ends without a question when nothing is open', async ({ desktop, profile }) => {
  const { app, frame } = await opened(desktop, { profile });
  expect(await frame.closeToEnd(app)).toBe(0);
});
