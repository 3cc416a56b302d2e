/**
 * Starts `npm start` on a display repeatedly: the window opens, is drawn, and closes cleanly. `STARTS=20` repeats
 * each kind that often; the stage of the tests once.
 */
import { cpus } from 'node:os';
import { drawn, expect, test, type Desktop } from './desktop.ts';
import { ROOT } from '../fixture.ts';

const STARTS = Number(process.env['STARTS'] ?? 1);
test.setTimeout(600_000 + STARTS * 60_000);

/** Starts, waits until the window is drawn, closes it by the window manager, and waits for the end. */
async function startAndClose(desktop: Desktop, profile: string): Promise<number> {
  const began = performance.now();
  const app = desktop.start({ profile, byNpm: true });
  const frame = await desktop.frame('class', '^ballast$');
  await drawn(desktop, frame);
  const took = performance.now() - began;
  expect(await frame.closeToEnd(app), app.output()).toBe(0);
  expect(app.output()).not.toMatch(/\bat .*:\d+:\d+|Warning|electron-standin: (?!this is)/);
  return took;
}

async function starts(desktop: Desktop, profileOf: (at: number) => string): Promise<void> {
  const took: number[] = [];
  for (let at = 0; at < STARTS; at++) took.push(await startAndClose(desktop, profileOf(at)));
  const times = took.map((ms) => Math.round(ms)).join(', ');
  process.stdout.write(`${took.length} of ${STARTS} starts, drawn after ${times} ms\n`);
}

test('starts from a fresh profile, every time', async ({ desktop }) => {
  await starts(desktop, (at) => `${desktop.home}/profile-${at}`);
});

test('starts from a used profile, every time', async ({ desktop, profile }) => {
  await startAndClose(desktop, profile);
  await starts(desktop, () => profile);
});

test('starts on a machine whose cores are all busy, every time', async ({ desktop }) => {
  for (const _ of cpus()) desktop.program(process.execPath, ['-e', 'for (;;);']);
  await starts(desktop, (at) => `${desktop.home}/profile-${at}`);
});

test('ends in order by Ctrl C in a terminal', async ({ desktop, profile }) => {
  const command = `${process.execPath} ${ROOT}/scripts/run.mjs start`;
  const terminal = desktop.terminal(command, { BALLAST_PROFILE: profile });
  const frame = await desktop.frame('class', '^ballast$');
  await drawn(desktop, frame);
  terminal.write('\u0003');
  // A second signal would give 1, and pending work would not have been awaited.
  expect(await terminal.whenEnded(), terminal.output()).toBe(0);
});
