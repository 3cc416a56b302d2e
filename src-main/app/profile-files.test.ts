import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../tests/archive/trades.ts';
import { NO_DAY_LIMITS, storedDayLimitsSchema } from '../orders/day/stored.ts';
import { NO_PLACES, windowPlacesSchema } from './window-place.ts';
import { assertNoNewerFile, NewerFile, profileFiles } from './profile-files.ts';

it('reports a damaged file: what a user loses by it stays in view, and lost limits lock trading', async () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const notices: [string, boolean][] = [];
  const file = profileFiles((name) => join(folder.path, name), {
    clock: { now: () => 7 },
    notify: (message, _next, stays) => notices.push([message, stays]),
    limitsLost: () => notices.push(['limits lost', true]),
  });
  for (const name of ['day-limits.json', 'window.json']) writeFileSync(join(folder.path, name), '');
  await file('day-limits.json', storedDayLimitsSchema, NO_DAY_LIMITS).read();
  await file('window.json', windowPlacesSchema, NO_PLACES).read();
  expect(notices).toEqual([
    ['limits lost', true],
    ['The daily limits could not be read. The file was moved to day-limits.json.damaged-7.', true],
    ['The window position could not be read. The file was moved to window.json.damaged-7.', false],
  ]);
});

it('rejects a profile with a file of a newer version, but for those without which nothing changes', async () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const put = (name: string, text: string): void => writeFileSync(join(folder.path, name), text);
  put('settings.json', '{"theme":"dark"}');
  put('connections.json', '{"version":1}');
  put('webhooks.json', '{"version":');
  put('accounts.json', '{"version":2}');
  await assertNoNewerFile(folder.path);
  put('day-limits.json', '{"version":2}');
  await expect(assertNoNewerFile(folder.path)).rejects.toEqual(
    new NewerFile(join(folder.path, 'day-limits.json')),
  );
});
