import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import { blockedFailure, failed } from '../../../src-shared/ipc/failures.ts';
import { fixture, SETTINGS } from '../../../tests/renderer/app-fixture.ts';
import { connection } from '../../../tests/renderer/fake-bridge.ts';
import { SIGNING_PRESETS } from '../../../src-shared/ipc/signing.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { SYNC_STATUS } from '../../../tests/renderer/sync-status.ts';
import ConnectionCard from './ConnectionCard.svelte';
import ConnectionFields from './ConnectionFields.svelte';
import { ConnectionForm } from './connection-form.svelte.ts';
import ExchangeHabits from './ExchangeHabits.svelte';
import SigningFields from './SigningFields.svelte';

it.each([
  ['available', 'Kept in the system keychain; never shown again'],
  ['waiting', 'The keychain has not responded yet'],
  ['unavailable', 'No keychain: kept for this run only, never shown'],
] as const)('says where a secret will be kept while the keychain is %s', async (state, text) => {
  const { app } = await fixture();
  if (app.session.state === null) throw new Error('no session');
  app.session.replace({ ...app.session.state, keychain: { state, message: '' } });
  const form = new ConnectionForm(app.calls, app.connectionTests, null);
  render(InApp, { app, component: ConnectionFields as never, given: { form } });
  expect(screen.getByText(text)).toBeTruthy();
});

it('warns of a secret too short to be removed from what the exchange sends', async () => {
  const { app } = await fixture();
  const form = new ConnectionForm(app.calls, app.connectionTests, null);
  render(InApp, { app, component: ConnectionFields as never, given: { form } });
  const warned = (secret: string): boolean => {
    form.secret = secret;
    flushSync();
    return screen.queryByText(/^Under 8 characters/) !== null;
  };
  expect(['', '1234567', '12345678'].map(warned)).toEqual([false, true, false]);
});

it('says which page size the exchange accepts once it has returned a page', async () => {
  const { app } = await fixture();
  const settings = { ...SETTINGS, signing: SIGNING_PRESETS.query.profile };
  const form = new ConnectionForm(app.calls, app.connectionTests, { ...app.session.active!, settings });
  render(InApp, { app, component: ExchangeHabits as never, given: { form } });
  const shown = (total: number | null): boolean => {
    app.tradeSync.status = { ...SYNC_STATUS, total, pageSize: 1000 };
    flushSync();
    return screen.queryByText('The exchange accepts 1,000; falls back to smaller pages') !== null;
  };
  expect([null, 0, 48].map(shown)).toEqual([false, true, true]);
});

it('asks for the secret again once the base URL is another one', async () => {
  const { app } = await fixture();
  const settings = { ...SETTINGS, signing: SIGNING_PRESETS.query.profile };
  const saved = { ...app.session.connections[0]!, settings };
  const form = new ConnectionForm(app.calls, app.connectionTests, saved);
  render(InApp, { app, component: ConnectionFields as never, given: { form } });
  const secret = screen.getByLabelText<HTMLInputElement>('Secret');
  const address = screen.getByLabelText<HTMLInputElement>('Base URL');
  const present = address.value;
  expect(secret.placeholder).toBe('Set, never shown');
  await fireEvent.input(address, { target: { value: 'https://other.example' } });
  expect(secret.placeholder).toBe('');
  expect(await form.save()).toBeNull();
  flushSync();
  expect(screen.getByText(/^Enter the API secret again: the stored one is for the previous/)).toBeTruthy();
  for (const value of [present, ` ${present.toUpperCase()}:443/ `]) {
    await fireEvent.input(address, { target: { value } });
    expect([form.needsSecret, secret.placeholder], value).toEqual([false, 'Set, never shown']);
  }
});

it('renames a header of the signature, without a warning of Svelte', async () => {
  const warned = vi.spyOn(console, 'warn').mockReturnValue();
  const { app } = await fixture();
  const form = new ConnectionForm(app.calls, app.connectionTests, null);
  render(InApp, { app, component: SigningFields as never, given: { form } });
  await fireEvent.input(screen.getAllByLabelText('Name')[0]!, { target: { value: 'X-SIGN' } });
  expect(form.typed.signing.signature.name).toBe('X-SIGN');
  expect(warned).not.toHaveBeenCalled();
  warned.mockRestore();
});

it('takes a whole URL that is pasted behind the scheme', async () => {
  const { app } = await fixture();
  const form = new ConnectionForm(app.calls, app.connectionTests, null);
  render(InApp, { app, component: ConnectionFields as never, given: { form } });
  const field = screen.getByLabelText<HTMLInputElement>('Base URL');
  for (const pasted of ['https://api.exchange.example', 'http://127.0.0.1:8080']) {
    await fireEvent.input(field, { target: { value: `https://${pasted}` } });
    expect([form.typed.baseUrl, field.value]).toEqual([pasted, pasted]);
  }
});

it('says that a test failed, not that there was none', async () => {
  const { app } = await fixture('live', {
    'connections.test': () => failed(blockedFailure('The secret is missing.', '')),
  });
  const given = { connection: { ...connection('live-1'), kind: 'live', verified: false }, chosen: false };
  const card = (): string => {
    cleanup();
    render(InApp, {
      app,
      component: ConnectionCard as never,
      given: { ...given, onchoose: () => undefined },
    });
    return screen.getByRole('button').textContent;
  };
  expect(card()).toContain('Not tested yet: trading is off');
  await app.connectionTests.run('live-1');
  expect(card()).toContain('Test failed: trading is off');
});

it('fills in the names of a preset, but keeps those that were typed', async () => {
  const { app } = await fixture();
  const form = new ConnectionForm(app.calls, app.connectionTests, null);
  const { typed } = form;
  form.usePreset('query');
  expect(typed.signing.keyHeader).toBe('X-MBX-APIKEY');
  typed.signing.keyHeader = 'X-OUR-KEY';
  typed.signing.contentType = 'text/plain';
  typed.signing.headers.push({ name: 'X-DESK', value: '1', secret: false });
  form.usePreset('prehash');
  expect(typed.signing).toMatchObject({
    keyHeader: 'X-OUR-KEY',
    signature: { in: 'header', name: 'CB-ACCESS-SIGN' },
    contentType: 'text/plain',
  });
  expect(typed.signing.headers.map(({ name }) => name)).toEqual(['CB-ACCESS-PASSPHRASE', 'X-DESK']);
  // The passphrase was the preset's. A name typed for a header is none for the address.
  typed.signing.signature.name = 'X-OUR-SIGN';
  form.usePreset('query');
  expect(typed.signing.headers.map(({ name }) => name)).toEqual(['X-DESK']);
  expect(typed.signing.signature.name).toBe('signature');
  expect(typed.signing.keyHeader).toBe('X-OUR-KEY');
});

it('keeps the names of a saved connection that no preset has, and replaces those of a preset', async () => {
  const { app } = await fixture();
  const saved = { ...connection('live-1'), kind: 'live' as const };
  const { profile } = SIGNING_PRESETS.practice;
  const signing = {
    ...structuredClone(profile),
    keyHeader: 'X-OUR-KEY',
    timestamp: { in: 'header' as const, name: 'X-OUR-TIME', unit: 's' as const },
    headers: [
      { name: 'X-DESK', value: '1', secret: false },
      { name: 'CB-ACCESS-PASSPHRASE', value: '', secret: true },
    ],
  };
  const settings = { ...saved.settings, signing };
  const ofSaved = new ConnectionForm(app.calls, app.connectionTests, { ...saved, settings });
  const ofFile = new ConnectionForm(app.calls, app.connectionTests, null);
  ofFile.fill(settings);
  for (const form of [ofSaved, ofFile]) {
    form.usePreset('concatenated');
    expect(form.typed.signing).toMatchObject({
      keyHeader: 'X-OUR-KEY',
      signature: { name: 'X-BAPI-SIGN' },
      timestamp: { name: 'X-OUR-TIME', unit: 'ms' },
      headers: [{ name: 'X-DESK', value: '1' }],
    });
  }
});

it('begins what is wrong with each field in the same way', async () => {
  const { app } = await fixture();
  const form = new ConnectionForm(app.calls, app.connectionTests, null);
  await form.save();
  render(InApp, { app, component: ConnectionFields as never, given: { form } });
  for (const text of ['Enter a name.', 'Enter the host name.', 'Enter the API key.', 'Enter the API secret.'])
    expect(screen.getByText(text)).toBeTruthy();
});
