import { fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { failed } from '../../../src-shared/ipc/failures.ts';
import { AppState } from '../../state/app/app-state.svelte.ts';
import { DeferredState } from '../../state/app/deferred-state.svelte.ts';
import { connection, FakeBridge, FakeTime, session } from '../../../tests/renderer/fake-bridge.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { record } from '../../../tests/renderer/app-fixture.ts';
import RemoveConnection from './RemoveConnection.svelte';

function shown(records: unknown, name = 'meridian') {
  const bridge = new FakeBridge();
  bridge.replies = { 'journal.list': () => records, 'connections.remove': () => null };
  const app = new AppState(bridge, new FakeTime(), () => Promise.resolve(DeferredState));
  const one = connection('meridian');
  const named = { ...one, settings: { ...one.settings, name } };
  const given = { connection: named, open: true, onremoved: () => undefined };
  const { rerender } = render(InApp, { app, component: RemoveConnection as never, given });
  const reopen = async (): Promise<void> => {
    await rerender({ given: { ...given, open: false } });
    await rerender({ given });
  };
  const button = (): HTMLElement => screen.getByRole('button', { name: 'Remove connection' });
  const type = (label: string, text: string) =>
    fireEvent.input(screen.getByLabelText(label), { target: { value: text } });
  return { app, bridge, button, type, reopen };
}

it('requires the symbol of an order whose outcome would not be looked up any more', async () => {
  const { bridge, button, type } = shown([record({ state: 'unknown', orderId: null })]);
  expect(await screen.findByText('The outcome of an order is unknown')).toBeTruthy();
  await type('Type “meridian” to remove it', 'meridian');
  expect(button()).toHaveProperty('disabled', true);
  await type('Type “BTC-USDT-M” to remove it anyway', 'BTC-USDT-M');
  await fireEvent.click(button());
  expect(bridge.requests.at(-1)).toMatchObject({
    name: 'connections.remove',
    input: { connectionId: 'meridian', typed: ['BTC-USDT-M'] },
  });
});

it('requires nothing more when every outcome is known', async () => {
  const { bridge, button, type } = shown([record()]);
  await type('Type “meridian” to remove it', 'meridian');
  await expect.poll(() => button().hasAttribute('disabled')).toBe(false);
  await fireEvent.click(button());
  expect(bridge.requests.at(-1)).toMatchObject({ input: { typed: [] } });
});

it.each([
  ['Main\u00a0 desk', 'Main desk'],
  ['Zu\u0308rich', 'Zürich'],
  ['\u200fحساب 1', 'حساب 1'],
])('takes the name “%s” as it can be typed', async (name, typed) => {
  const { button } = shown([record()], name);
  const type = (value: string) =>
    fireEvent.input(screen.getByLabelText(/^Type “.*” to remove it$/), { target: { value } });
  await type(typed);
  await expect.poll(() => button().hasAttribute('disabled')).toBe(false);
  await type(typed.slice(1));
  expect(button()).toHaveProperty('disabled', true);
});

it('asks for a name that cannot be seen as it is', async () => {
  const { button } = shown([record()], '\u2060');
  await expect.poll(() => screen.queryByLabelText(/to remove it$/)).toBeTruthy();
  expect(button()).toHaveProperty('disabled', true);
});

it('asks for the name and the symbols again after it was closed', async () => {
  const { type, reopen } = shown([record({ state: 'unknown', orderId: null })]);
  const labels = ['Type “meridian” to remove it', 'Type “BTC-USDT-M” to remove it anyway'];
  await screen.findByText('The outcome of an order is unknown');
  for (const label of labels) await type(label, label.split(' ')[1] ?? '');
  await fireEvent.click(screen.getByLabelText('Delete its trade archive and its alerts too'));
  // Nothing else has the notes.
  expect(screen.getByText(/^Your notes, and trades the exchange no longer lists/)).toBeDefined();
  await fireEvent.click(screen.getByText('Keep it'));
  await reopen();
  for (const label of labels) expect(screen.getByLabelText(label)).toHaveProperty('value', '');
  expect(screen.getByLabelText('Delete its trade archive and its alerts too')).toHaveProperty(
    'checked',
    false,
  );
});

it('says which files stay where the archive is deleted', async () => {
  shown([]);
  await fireEvent.click(screen.getByLabelText('Delete its trade archive and its alerts too'));
  expect(screen.getByText(/moved aside/).textContent).toMatch(
    /“archive\/meridian\.sqlite\.damaged-…”, “\.replaced-…” or “\.other-account-…”, stay/,
  );
});

/** Closes the dialog while the keychain asks. It removes the secret once `resolve` is called, and refuses on `reject`. */
async function closedMeanwhile() {
  const { app, bridge, type } = shown([record()]);
  const { promise, resolve, reject } = Promise.withResolvers<null>();
  const { call } = bridge;
  const refused = failed({ kind: 'keychain', message: 'The keychain is locked.', next: 'Unlock it.' });
  bridge.replies['connections.remove'] = () => promise;
  bridge.call = (name, ...input) => call(name, ...input).catch(() => refused);
  app.session.state = session();
  await type('Type “meridian” to remove it', 'meridian');
  await fireEvent.click(screen.getByLabelText('Delete its trade archive and its alerts too'));
  const button = screen.getByText('Remove it and its archive');
  await waitFor(() => expect(button).toHaveProperty('disabled', false));
  await fireEvent.click(button);
  app.session.state = session({ keychain: { state: 'waiting', message: '' } });
  await fireEvent.click(await screen.findByText('Close'));
  return { app, resolve, reject };
}

it('says what became of the archive although it was closed while the keychain asked', async () => {
  const { app, resolve } = await closedMeanwhile();
  resolve(null);
  await waitFor(() => expect(app.notices.list[0]?.text).toBe('With its archive and its alerts.'));
});

it('says what could not be deleted though its connection, and with it the dialog, is gone', async () => {
  const { app, bridge, type } = shown([]);
  // The fake bridge then replies with a failure.
  delete bridge.replies['connections.remove'];
  app.session.state = session({ connections: [] });
  await type('Type “meridian” to remove it', 'meridian');
  const button = screen.getByText('Remove connection');
  await waitFor(() => expect(button).toHaveProperty('disabled', false));
  await fireEvent.click(button);
  await waitFor(() => expect(app.notices.list[0]?.title).toContain('no result given'));
});

it('says why the connection is still there although it was closed while the keychain asked', async () => {
  const { app, reject } = await closedMeanwhile();
  reject(new Error('the keychain'));
  await waitFor(() => expect(app.notices.list[0]?.title).toBe('The keychain is locked.'));
});
