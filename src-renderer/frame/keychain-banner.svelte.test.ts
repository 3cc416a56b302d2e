import { fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { SIGNING_PRESETS } from '../../src-shared/ipc/signing.ts';
import { fixture } from '../../tests/renderer/app-fixture.ts';
import InApp from '../../tests/renderer/InApp.svelte';
import Connections from '../features/settings/Connections.svelte';
import Banners from './Banners.svelte';
import StatusBar from './StatusBar.svelte';

it('is closed for the run, and leaves a mark in the status bar that leads to the settings', async () => {
  const { app, push } = await fixture();
  const keychain = { state: 'unavailable', message: 'No keychain service replies.' } as const;
  const connections = app.session.connections.map((one) => ({
    ...one,
    settings: { ...one.settings, signing: SIGNING_PRESETS.query.profile },
  }));
  push('session', { ...app.session.state!, connections, keychain });
  render(InApp, { app, component: Banners, given: { onunlock: () => undefined } });
  render(InApp, { app, component: StatusBar });
  const banner = (): string | undefined => screen.queryByRole('alert')?.textContent;
  const mark = (): HTMLElement | null => screen.queryByRole('button', { name: 'keychain off' });
  await expect.poll(banner).toContain('The system keychain is not available');
  expect(banner()).toContain(keychain.message);
  expect(mark()).toBeNull();

  await fireEvent.click(screen.getByRole('button', { name: 'Close until the next start' }));
  expect([banner(), mark()?.title]).toEqual([undefined, keychain.message]);
  app.navigation.go('positions');
  push('session', { ...app.session.state!, keychain });
  flushSync();
  expect(banner()).toBeUndefined();

  await fireEvent.click(mark()!);
  expect(app.navigation.screen).toBe('settings');
  expect(app.navigation.link?.part).toBe('connections');
  render(InApp, { app, component: Connections });
  expect(screen.getByRole('alert').textContent).toContain('System keychain');
});
