import { render } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { done } from '../../src-shared/ipc/failures.ts';
import { fixture } from '../../tests/renderer/app-fixture.ts';
import { noFeeds } from '../../tests/renderer/fake-bridge.ts';
import InApp from '../../tests/renderer/InApp.svelte';
import { account, NOW } from '../../tests/domain/order-samples.ts';
import PollingCell from './PollingCell.svelte';

it('says of when the figures of an earlier run are, until the account is read or cannot be', async () => {
  const { app, passes, push } = await fixture('live', {
    'feeds.get': () => done(noFeeds('live-1')),
    'feeds.last': () => done({ connectionId: 'live-1', readAt: NOW - 4_000, value: account([]) }),
  });
  const { container } = render(InApp, { app, component: PollingCell });
  const clock = new Date(NOW - 4_000).toISOString().slice(11, 16);
  expect(container.textContent).toMatch(new RegExp(`Connecting\\s*as of ${clock}, 4\\.0 s ago`));
  passes(60_000);
  await Promise.resolve();
  expect(container.textContent).toContain(`as of ${clock}, 64 s ago`);

  const failure = { kind: 'offline', message: 'No reply.', next: '' } as const;
  const unread = { ...noFeeds('live-1').account, serial: 7, failure, failingSince: NOW };
  push('feed', { connectionId: 'live-1', name: 'account', feed: unread });
  await Promise.resolve();
  expect(container.textContent).toContain('Offline');
});
