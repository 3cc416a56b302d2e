import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { done } from '../../src-shared/ipc/failures.ts';
import { fixture } from '../../tests/renderer/app-fixture.ts';
import { noFeeds } from '../../tests/renderer/fake-bridge.ts';
import InApp from '../../tests/renderer/InApp.svelte';
import { NOW } from '../../tests/domain/order-samples.ts';
import Banners from './Banners.svelte';

it('reads the account again by Retry while it cannot be read, and leaves once it was', async () => {
  const failure = { kind: 'offline', message: 'No server responds.', next: '' } as const;
  const account = { ...noFeeds('live-1').account, failure, failingSince: NOW };
  const { app, accountIs, requests } = await fixture('live', {
    'feeds.get': () => done({ ...noFeeds('live-1'), account }),
    'feeds.refresh': () => done(null),
  });
  render(InApp, { app, component: Banners, given: { onunlock: () => undefined } });
  await fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(requests.at(-1)).toEqual({ name: 'feeds.refresh', input: { name: 'account' } });
  accountIs({ assets: [], positions: [] } as never);
  await Promise.resolve();
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});
