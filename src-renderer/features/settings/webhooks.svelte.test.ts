import { fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { beforeEach, expect, it } from 'vitest';
import { done, failed, type Result } from '../../../src-shared/ipc/failures.ts';
import type { WebhookSummary } from '../../../src-shared/ipc/webhooks.ts';
import { fixture, settled, type Fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import Webhooks from './Webhooks.svelte';
import { WebhookForm } from './webhooks.svelte.ts';

const PHONE: WebhookSummary = {
  id: 'webhook-1',
  secret: 'stored',
  settings: { service: 'ntfy', name: 'Phone', on: false, alerts: 'critical', amounts: true, chat: '' },
};
let all: Fixture;
let form: WebhookForm;
beforeEach(async () => {
  all = await fixture('live', { 'webhooks.list': () => done([PHONE]) });
  form = new WebhookForm(all.app.calls);
  await form.load();
});

it('sends nothing while a field is not valid, and names the field', async () => {
  form.begin(null);
  expect(await form.save()).toBe(false);
  expect(form.fault?.field).toBe('name');
  Object.assign(form.draft!, { name: ' Desk ', address: 'http://ntfy.sh/topic' });
  expect(await form.save()).toBe(false);
  expect(form.fault?.field).toBe('address');
  Object.assign(form.draft!, { service: 'telegram', address: `123456789:${'A'.repeat(35)}` });
  expect(await form.save()).toBe(false);
  expect(form.fault?.field).toBe('chat');
  expect(all.count('webhooks.add')).toBe(0);
});

it('adds a webhook that is on and leaves amounts out', async () => {
  all.replies['webhooks.add'] = () => done([PHONE, PHONE]);
  form.begin(null);
  Object.assign(form.draft!, { name: ' Desk ', address: ' https://ntfy.sh/topic ', chat: 'left over' });
  expect(await form.save()).toBe(true);
  expect(all.requests.at(-1)?.input).toEqual({
    settings: { service: 'ntfy', name: 'Desk', on: true, alerts: 'all', amounts: false, chat: '' },
    secret: { address: 'https://ntfy.sh/topic', authorization: '' },
  });
  expect([form.draft, form.list?.length]).toEqual([null, 2]);
});

it('keeps the stored address when none is typed, and the typed one when saving fails', async () => {
  all.replies['webhooks.change'] = () => failed({ kind: 'file', message: 'Disk full.', next: 'Free some.' });
  form.begin(PHONE);
  expect(await form.save()).toBe(false);
  expect(all.requests.at(-1)?.input).toEqual({ id: PHONE.id, settings: PHONE.settings, secret: null });
  form.draft!.address = 'https://ntfy.sh/other';
  expect(await form.save()).toBe(false);
  expect([form.draft?.address, form.failure?.message]).toEqual(['https://ntfy.sh/other', 'Disk full.']);
});

it('shows the outcome of the last test only', async () => {
  const outcome = { webhookId: PHONE.id, name: 'Phone', why: '', at: 1 } as const;
  all.replies['webhooks.test'] = () => done({ ...outcome, state: 'delivered' });
  await form.test(PHONE.id);
  expect(form.tested[PHONE.id]?.state).toBe('delivered');
  all.replies['webhooks.test'] = () => failed({ kind: 'bug', message: 'Broken.', next: 'Restart.' });
  await form.test(PHONE.id);
  expect([form.tested[PHONE.id], form.failure?.message, form.testing]).toEqual([undefined, 'Broken.', null]);
});

it('leaves the secret in a keychain that does not forget only when asked again', async () => {
  all.replies['webhooks.remove'] = () =>
    failed({ kind: 'keychain', message: 'Locked.', next: 'Unlock it.', field: 'secret' });
  await form.remove(PHONE.id);
  expect(form.kept).toBe(PHONE.id);
  all.replies['webhooks.remove'] = () => done([]);
  await form.remove(PHONE.id);
  const removals = all.requests.filter((one) => one.name === 'webhooks.remove');
  expect(removals.map((one) => one.input)).toEqual([
    { id: PHONE.id, leaveSecret: false },
    { id: PHONE.id, leaveSecret: true },
  ]);
  expect([form.kept, form.list]).toEqual([null, []]);
});

it('asks before a webhook is removed, and once more where the keychain keeps its secret', async () => {
  all.replies['webhooks.remove'] = () =>
    failed({ kind: 'keychain', message: 'Locked.', next: 'Unlock it.', field: 'secret' });
  render(InApp, { app: all.app, component: Webhooks });
  await fireEvent.click(await screen.findByRole('button', { name: 'Remove…' }));
  const dialog = screen.getByRole('dialog', { name: 'Remove Phone?' });
  expect([all.count('webhooks.remove'), dialog.textContent]).toEqual([
    0,
    expect.stringContaining('No more alerts are sent to it'),
  ]);
  await fireEvent.click(screen.getByRole('button', { name: 'Remove webhook' }));
  await settled();
  flushSync();
  expect(dialog.textContent).toContain('Locked. Unlock it.');
  all.replies['webhooks.remove'] = () => done([]);
  await fireEvent.click(screen.getByRole('button', { name: 'Remove, leave its secret' }));
  await settled();
  flushSync();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add webhook' }));
});

it('shows what the keychain replied after the list', async () => {
  all.replies['webhooks.list'] = () => done([{ ...PHONE, secret: 'waiting' }]);
  render(InApp, { app: all.app, component: Webhooks });
  expect(await screen.findByText('Waiting for the keychain.')).toBeTruthy();
  all.push('webhooks', [PHONE]);
  flushSync();
  expect(screen.queryByText('Waiting for the keychain.')).toBeNull();
});

it('removes a webhook once, however often it is pressed, and leaves the question about another open', async () => {
  const other = { ...PHONE, id: 'webhook-2', settings: { ...PHONE.settings, name: 'Desk' } };
  all.replies['webhooks.list'] = () => done([PHONE, other]);
  const held = Promise.withResolvers<Result<WebhookSummary[]>>();
  all.replies['webhooks.remove'] = () => held.promise;
  render(InApp, { app: all.app, component: Webhooks });
  const [phone, desk] = await screen.findAllByRole('button', { name: 'Remove…' });
  await fireEvent.click(phone!);
  for (let press = 0; press < 2; press++)
    await fireEvent.click(screen.getByRole('button', { name: 'Remove webhook' }));
  expect(all.count('webhooks.remove')).toBe(1);
  await fireEvent.click(screen.getByRole('button', { name: /^Keep it/ }));
  await fireEvent.click(desk!);
  held.resolve(done([other]));
  await settled();
  flushSync();
  expect(screen.getByRole('dialog', { name: 'Remove Desk?' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Remove webhook' })).toHaveProperty('disabled', false);
});

it('leaves another form open that was begun while one was being saved', async () => {
  const held = Promise.withResolvers<Result<WebhookSummary[]>>();
  all.replies['webhooks.change'] = () => held.promise;
  form.begin(PHONE);
  const saving = form.save();
  form.cancel();
  form.begin(null);
  held.resolve(done([PHONE]));
  expect([await saving, form.draft?.id]).toEqual([true, null]);
});

it('keeps what is typed while a new one is saved, as changes of it, in the field that has the focus', async () => {
  const held = Promise.withResolvers<Result<WebhookSummary[]>>();
  all.replies['webhooks.add'] = () => held.promise;
  all.replies['webhooks.change'] = () => done([PHONE, desk]);
  const desk = { ...PHONE, id: 'webhook-2', settings: { ...PHONE.settings, name: 'Desk' } };
  const type = (label: string, value: string): Promise<boolean> =>
    fireEvent.input(screen.getByLabelText(label), { target: { value } });
  const save = (): Promise<boolean> => fireEvent.click(screen.getByRole('button', { name: /^Sav/ }));
  render(InApp, { app: all.app, component: Webhooks });
  await fireEvent.click(await screen.findByRole('button', { name: 'Add webhook' }));
  await type('Name', 'Desk');
  await type('Address of the topic', 'https://ntfy.sh/topic');
  await save();
  const name = screen.getByLabelText('Name');
  name.focus();
  await type('Name', 'Desk at home');
  held.resolve(done([PHONE, desk]));
  await settled();
  flushSync();
  expect([document.activeElement, name]).toEqual([name, expect.objectContaining({ value: 'Desk at home' })]);
  expect(screen.getByLabelText('Address of the topic')).toHaveProperty('value', '');
  expect(all.app.navigation.beforeLeaving).not.toBeNull();

  await save();
  await settled();
  flushSync();
  expect(screen.queryByLabelText('Name')).toBeNull();
  expect(all.requests.at(-1)?.input).toMatchObject({
    id: 'webhook-2',
    settings: { name: 'Desk at home' },
    secret: null,
  });
});

it('takes an error back while its field is changed', async () => {
  render(InApp, { app: all.app, component: Webhooks });
  await fireEvent.click(await screen.findByRole('button', { name: 'Add webhook' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('Enter a name.')).toBeTruthy();
  await fireEvent.input(screen.getByLabelText('Name'), { target: { value: 'Desk' } });
  expect(screen.queryByText('Enter a name.')).toBeNull();
});

it('asks before a typed address is lost, and forgets it once that is agreed to', async () => {
  const { navigation } = all.app;
  Object.assign(navigation, { screen: 'settings', settingsSection: 'away' });
  render(InApp, { app: all.app, component: Webhooks });
  await fireEvent.click(await screen.findByRole('button', { name: 'Change' }));
  navigation.openSection('appearance');
  expect(navigation.settingsSection).toBe('appearance');
  navigation.settingsSection = 'away';
  await fireEvent.input(screen.getByLabelText('Address of the topic'), {
    target: { value: 'https://ntfy.sh/t' },
  });
  navigation.openSection('appearance');
  flushSync();
  expect(navigation.settingsSection).toBe('away');
  expect(screen.getByRole('dialog', { name: 'Discard the typed secret?' })).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
  expect(navigation.settingsSection).toBe('appearance');
  expect(screen.queryByLabelText('Address of the topic')).toBeNull();
  expect(navigation.beforeLeaving).toBeNull();
});

it('is left by Escape as by Cancel, after asking where something is typed', async () => {
  render(InApp, { app: all.app, component: Webhooks });
  const change = await screen.findByRole('button', { name: 'Change' });
  const name = (): HTMLElement => screen.getByLabelText('Name');
  await fireEvent.click(change);
  await fireEvent.keyDown(name(), { key: 'Escape' });
  await settled();
  expect(screen.queryByLabelText('Name')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add webhook' }));

  for (const leave of [
    () => fireEvent.keyDown(name(), { key: 'Escape' }),
    () => fireEvent.click(screen.getByRole('button', { name: 'Cancel' })),
  ]) {
    await fireEvent.click(change);
    await fireEvent.input(screen.getByLabelText('Address of the topic'), {
      target: { value: 'https://ntfy.sh/t' },
    });
    await leave();
    expect(screen.getByRole('dialog', { name: 'Discard the typed secret?' })).toBeTruthy();
    expect(name()).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
    await settled();
    expect(screen.queryByLabelText('Name')).toBeNull();
  }
});
