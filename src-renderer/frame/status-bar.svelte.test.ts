import { render } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { done } from '../../src-shared/ipc/failures.ts';
import { fixture, record } from '../../tests/renderer/app-fixture.ts';
import InApp from '../../tests/renderer/InApp.svelte';
import StatusBar from './StatusBar.svelte';

it('groups the digits of its counts', async () => {
  const all = Array.from({ length: 1204 }, (_, at) => record({ id: `sent-${at}` }));
  const { app } = await fixture('live', { 'journal.list': () => done(all) });
  app.feeds.clockOffsetMs = -86_400_123;
  const { container } = render(InApp, { app, component: StatusBar });
  expect(container.textContent).toContain('journal 1,204');
  expect(container.textContent).toContain('clock −86,400 s off');
});
