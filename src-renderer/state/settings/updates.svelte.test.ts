import { expect, it } from 'vitest';
import { blockedFailure, done, failed } from '../../../src-shared/ipc/failures.ts';
import type { UpdateState } from '../../../src-shared/ipc/updates.ts';
import { fixture, settled } from '../../../tests/renderer/app-fixture.ts';

const state = (version: string | null): UpdateState => ({
  host: 'ballast.example',
  checking: false,
  checkedAt: 1,
  release: version === null ? null : { version, released: '2026-12-01', changes: ['Better.'], files: [] },
  failure: null,
});

it('a version found by the automatic check is announced once, and so is the next one', async () => {
  const { app, push } = await fixture('live', { 'updates.get': () => done(state(null)) });
  const titles = (): string[] => app.notices.list.map((one) => one.title);
  push('updates', state('0.2.0'));
  push('updates', state('0.2.0'));
  expect(titles()).toEqual(['Ballast 0.2.0 is available']);
  push('updates', state('0.3.0'));
  expect(titles()).toEqual(['Ballast 0.3.0 is available', 'Ballast 0.2.0 is available']);
});

it('a requested check is shown on the screen and not announced', async () => {
  const { app, replies, push } = await fixture('live', { 'updates.get': () => done(state(null)) });
  replies['updates.check'] = () => {
    push('updates', state('0.2.0'));
    return done(state('0.2.0'));
  };
  await app.updates.check();
  await settled();
  expect([app.updates.state?.release?.version, app.notices.list]).toEqual(['0.2.0', []]);
});

it('a failure is shown until the next reply', async () => {
  const { app, replies } = await fixture('live', { 'updates.get': () => done(state('0.2.0')) });
  await app.updates.load();
  replies['updates.openPage'] = () => failed(blockedFailure('An order is on its way.', 'Wait.'));
  await app.updates.openPage();
  expect(app.updates.failure?.message).toBe('An order is on its way.');
  replies['updates.openPage'] = () => done(null);
  await app.updates.openPage();
  expect(app.updates.failure).toBeNull();
});
