import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { practiceName, removeOtherPractices } from './practice-files.ts';

const own = (exchangeId: string): string => `${practiceName({ exchangeId, own: true })}.sqlite`;
const byHand = (exchangeId: string): string => `${practiceName({ exchangeId, own: false })}.sqlite`;

it.each([
  ['the app’s own', own('now'), [own('old')]],
  ['one started by hand', byHand('now'), [byHand('old')]],
])('%s removes what is left of others of its kind, and nothing else', async (_what, opened, removed) => {
  const folder = mkdtempSync(join(tmpdir(), 'practice-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const all = [own('old'), byHand('old'), opened, `${opened}-wal`, 'live-1.sqlite'];
  for (const name of all) writeFileSync(join(folder, name), '');
  // One that cannot be removed, and a folder that is not there, keep nothing else from being removed.
  mkdirSync(join(folder, own('.folder')));
  all.push(own('.folder'));
  await removeOtherPractices([join(folder, 'missing', opened), join(folder, opened)]);
  expect(readdirSync(folder).sort()).toEqual(all.filter((name) => !removed.includes(name)).sort());
});
