import { fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import type { AlertRecord } from '../../src-shared/ipc/alerts.ts';
import type { SystemClose } from '../../src-shared/domain/history/system-close.ts';
import { done, failed } from '../../src-shared/ipc/failures.ts';
import { utcSecond } from '../../src-shared/time.ts';
import { fixture, record } from '../../tests/renderer/app-fixture.ts';
import { noFeeds } from '../../tests/renderer/fake-bridge.ts';
import InApp from '../../tests/renderer/InApp.svelte';
import { NOW } from '../../tests/domain/order-samples.ts';
import { spokenOf } from '../../tests/renderer/spoken.ts';
import Banners from './Banners.svelte';

const failure = { kind: 'offline', message: 'No server responds.', next: '' } as const;
const LIQUIDATED: AlertRecord = {
  id: 'a',
  connectionId: 'live-1',
  rule: 'liquidated',
  key: 'liquidated:7',
  at: NOW,
  title: 'SOL-USDT-M long liquidated',
  text: 'Loss 12.5 USDT.',
  link: { symbolId: 'SOL-USDT-M' },
  quiet: false,
  acknowledgedAt: null,
};
const DAMAGE = { id: 'd', line: 4, connectionId: null, symbolId: null, side: null, text: '{' };
const offline = { ...noFeeds('live-1').account, failure, failingSince: NOW };

it('lets messages beyond two wait behind a count, never a liquidation', async () => {
  const { app, push } = await fixture();
  render(InApp, { app, component: Banners, given: { onunlock: () => undefined } });
  const lock = (): HTMLElement | null => screen.queryByText('Locked; the API secret stays loaded');
  const account = (): HTMLElement | null => screen.queryByText('The account cannot be read');
  push('session', { ...app.session.state!, locked: true, secretUse: 'only-copy' });
  flushSync();
  await expect.poll(lock).toBeTruthy();
  expect(screen.queryByRole('button', { name: /message/ })).toBeNull();
  push('alert', { do: 'raised', record: LIQUIDATED, notice: true, sound: false });
  push('feed', { connectionId: 'live-1', name: 'account', feed: { ...offline, serial: 99 } });
  flushSync();
  expect(screen.getByTestId('liquidation-banner').textContent).toContain('SOL-USDT-M long liquidated');
  expect([account() !== null, lock()]).toEqual([true, null]);
  await fireEvent.click(screen.getByRole('button', { name: '1 more message' }));
  await expect.poll(lock).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: 'Fewer messages' }));
  expect(lock()).toBeNull();
  // Those that must be seen are not held back by the two lines.
  app.intents.damage = [DAMAGE];
  push('intent', record({ state: 'unknown', orderId: null }));
  flushSync();
  expect(screen.getByText(/^Outcome unknown\./)).toBeTruthy();
  expect(screen.getByText(/^The order journal is damaged\./)).toBeTruthy();
  expect(screen.getByTestId('liquidation-banner')).toBeTruthy();
  expect(account()).toBeNull();
  expect(screen.getByRole('button', { name: '2 more messages' })).toBeTruthy();
});

it('shows when a position was liquidated, alone and in a list', async () => {
  const close = { kind: 'liquidation', orderId: '8', at: Date.UTC(2026, 10, 19, 3, 4, 5) } as SystemClose;
  const { push, app } = await fixture('live', { 'archive.systemCloses': () => done([close]) });
  render(InApp, { app, component: Banners, given: { onunlock: () => undefined } });
  const times = (): string[] =>
    [...screen.getByTestId('liquidation-banner').querySelectorAll('time')].map((one) => one.textContent);
  const raise = (orderId: string): void => {
    push('alert', {
      ...{ do: 'raised', notice: true, sound: false },
      record: { ...LIQUIDATED, id: orderId, link: { symbolId: 'SOL-USDT-M', orderId } },
    });
    flushSync();
  };
  raise('8');
  expect(times()).toEqual(['2026-11-19 03:04:05']);
  raise('9');
  expect(times()).toEqual([utcSecond(NOW), '2026-11-19 03:04:05']);
});

it('reads the account again by Retry while it cannot be read, and leaves once it was', async () => {
  const { app, accountIs, requests } = await fixture('live', {
    'feeds.get': () => done({ ...noFeeds('live-1'), account: offline }),
    'feeds.refresh': () => done(null),
  });
  render(InApp, { app, component: Banners, given: { onunlock: () => undefined } });
  await fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(requests.at(-1)).toEqual({ name: 'feeds.refresh', input: { name: 'account' } });
  accountIs({ assets: [], positions: [] } as never);
  await Promise.resolve();
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});

it('speaks of the last values while the exchange makes it wait only where some were read', async () => {
  const { app, accountIs, push } = await fixture('live', { 'feeds.get': () => done(noFeeds('live-1')) });
  render(InApp, { app, component: Banners, given: { onunlock: () => undefined } });
  push('pause', { connectionId: 'live-1', until: NOW + 60_000 });
  flushSync();
  const text = (): string => screen.getByRole('alert').textContent;
  expect(text()).toContain('Nothing is read or sent until then. Reading resumes automatically.');
  accountIs({ assets: [], positions: [] } as never);
  await Promise.resolve();
  flushSync();
  expect(text()).toContain('The values below are the last ones read.');
});

it('leads from an account that the exchange rejects to the secret of its connection', async () => {
  const rejected = { kind: 'rejected', message: 'The exchange rejected the request.', next: '' } as const;
  const { app } = await fixture('live', {
    'feeds.get': () => done({ ...noFeeds('live-1'), account: { ...offline, failure: rejected } }),
  });
  render(InApp, { app, component: Banners, given: { onunlock: () => undefined } });
  await fireEvent.click(screen.getByRole('button', { name: 'Edit connection' }));
  expect([app.navigation.screen, app.navigation.link]).toEqual(['settings', { part: 'secret' }]);
});

it('counts the wait and the age of the data silently: a screen reader says the message once', async () => {
  const { app, passes, push } = await fixture('live');
  render(InApp, { app, component: Banners, given: { onunlock: () => undefined } });
  const said = (): string[] => screen.getAllByRole('alert').map(spokenOf);
  push('pause', { connectionId: 'live-1', until: NOW + 30_000 });
  push('session', { ...app.session.state!, locked: true, secretUse: 'unloaded' });
  await expect.poll(() => said().length).toBe(2);
  const first = said();
  screen.getByText('30 s left');
  passes(1_000);
  flushSync();
  screen.getByText('29 s left');
  screen.getByText('1.0 s ago');
  expect(said()).toEqual(first);
});

it('names another account with an unknown outcome while it is not open, and opens it', async () => {
  const { app, push, requests } = await fixture('practice', { 'connections.select': () => failed(failure) });
  render(InApp, { app, component: Banners, given: { onunlock: () => undefined } });
  const [one] = app.session.connections;
  const connections = [one!, { ...one!, id: 'live-2', settings: { ...one!.settings, name: 'Main desk' } }];
  push('session', { ...app.session.state!, connections, unknownElsewhere: ['live-2'] });
  flushSync();
  const open = await screen.findByRole('button', { name: 'Open Main desk' });
  expect(screen.getByText('Outcome unknown on Main desk. Do not resend.')).toBeTruthy();
  await fireEvent.click(open);
  expect(requests.at(-1)).toEqual({ name: 'connections.select', input: { connectionId: 'live-2' } });
  push('session', { ...app.session.state!, unknownElsewhere: [] });
  flushSync();
  expect(screen.queryByText(/^Outcome unknown on/)).toBeNull();
});
