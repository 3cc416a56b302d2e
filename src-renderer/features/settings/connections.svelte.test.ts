import { fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import type { ConnectionSummary } from '../../../src-shared/ipc/connections.ts';
import { blockedFailure, done, failed, type Result } from '../../../src-shared/ipc/failures.ts';
import type { PracticeHabit } from '../../../src-shared/ipc/practice.ts';
import { SIGNING_PRESETS } from '../../../src-shared/ipc/signing.ts';
import { fixture, SETTINGS, settled } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import Connections from './Connections.svelte';
import { PracticeControls } from './practice-controls.svelte.ts';
import PracticeHabits from './PracticeHabits.svelte';
import Settings from './Settings.svelte';

const question = () => screen.queryByRole('dialog', { name: 'Discard unsaved changes?' });

it('asks before anything typed in the form is lost, and only then', async () => {
  const { app } = await fixture();
  if (app.session.state === null) throw new Error('no session');
  const settings = { ...SETTINGS, signing: SIGNING_PRESETS.query.profile };
  app.session.replace({
    ...app.session.state,
    connections: app.session.connections.map((one) => ({ ...one, settings })),
  });
  app.navigation.screen = 'settings';
  render(InApp, { app, component: Connections });
  const type = (label: string, value: string) =>
    fireEvent.input(screen.getAllByLabelText(label)[0]!, { target: { value } });
  const leave = (): void => {
    app.navigation.go('overview');
    flushSync();
  };
  for (const [label, typed, saved] of [
    ['Name', 'Second desk', SETTINGS.name],
    ['Base URL', 'https://other.example', SETTINGS.baseUrl],
    ['Key header', 'X-OUR-KEY', SIGNING_PRESETS.query.profile.keyHeader ?? ''],
  ] as const) {
    await type(label, typed);
    leave();
    expect(app.navigation.screen, label).toBe('settings');
    expect(question(), label).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: /Keep editing/ }));
    expect(question()).toBeNull();
    await type(label, saved);
  }
  leave();
  expect(app.navigation.screen).toBe('overview');
});

it.each([true, false])(
  'makes the switch to a connection its main action once verified: %s',
  async (verified) => {
    const { app } = await fixture();
    const settings = { ...SETTINGS, signing: SIGNING_PRESETS.query.profile };
    const first = { ...app.session.connections[0]!, settings };
    const second = { ...first, id: 'live-2', settings: { ...settings, name: 'Second' }, verified };
    app.session.replace({ ...app.session.state!, connections: [first, second] });
    render(InApp, { app, component: Connections });
    await fireEvent.click(screen.getByText('Second'));
    const isMain = (name: string): boolean =>
      screen.getByRole('button', { name }).classList.contains('primary');
    expect(isMain('Switch to it')).toBe(verified);
    await fireEvent.input(screen.getAllByLabelText('Name')[0]!, { target: { value: 'Third' } });
    expect([isMain('Save to switch'), isMain('Save changes')]).toEqual([false, true]);
  },
);

it.each([true, false])(
  'leaves once what is typed is saved, and asks if it could not be: %s',
  async (isSaved) => {
    const reply = Promise.withResolvers<Result<ConnectionSummary>>();
    const { app } = await fixture('live', { 'connections.update': () => reply.promise });
    if (app.session.state === null) throw new Error('no session');
    const settings = { ...SETTINGS, signing: SIGNING_PRESETS.query.profile };
    const connections = app.session.connections.map((one) => ({ ...one, settings }));
    app.session.replace({ ...app.session.state, connections });
    app.navigation.screen = 'settings';
    render(InApp, { app, component: Connections });
    await fireEvent.input(screen.getAllByLabelText('Name')[0]!, { target: { value: 'Second desk' } });
    await fireEvent.submit(screen.getByRole('button', { name: 'Save changes' }).closest('form')!);
    app.navigation.go('overview');
    flushSync();
    expect([app.navigation.screen, question()]).toEqual(['settings', null]);
    reply.resolve(
      isSaved
        ? done({ ...connections[0]!, settings: { ...settings, name: 'Second desk' } })
        : failed(blockedFailure('The disk is full.', 'Free some space.')),
    );
    if (isSaved) await expect.poll(() => app.navigation.screen).toBe('overview');
    else await expect.poll(question).toBeTruthy();
    expect(question() !== null).toBe(!isSaved);
  },
);

/** Saves the form of a new connection; the reply arrives once `isAdded` is called. */
async function addingOne() {
  const reply = Promise.withResolvers<Result<ConnectionSummary>>();
  const { app, count } = await fixture('live', { 'connections.add': () => reply.promise });
  const settings = { ...SETTINGS, signing: SIGNING_PRESETS.query.profile };
  const first = { ...app.session.connections[0]!, settings };
  const added = { ...first, id: 'live-2', settings: { ...settings, name: 'Second desk' } };
  app.session.replace({ ...app.session.state!, connections: [first] });
  app.navigation.screen = 'settings';
  render(InApp, { app, component: Connections });
  await fireEvent.click(screen.getByRole('button', { name: 'Add connection' }));
  for (const [label, value] of [
    ['Name', 'Second desk'],
    ['Base URL', 'https://other.example'],
    ['API key', 'key'],
    ['Secret', 'secret'],
  ] as const)
    await fireEvent.input(screen.getAllByLabelText(label)[0]!, { target: { value } });
  await fireEvent.submit(screen.getByRole('button', { name: 'Save connection' }).closest('form')!);
  expect(count('connections.add')).toBe(1);
  const isAdded = async (): Promise<void> => {
    app.session.replace({ ...app.session.state!, connections: [first, added] });
    reply.resolve(done(added));
    await settled();
    flushSync();
  };
  return { isAdded };
}
it('goes to the connection that was chosen while a new one was being saved', async () => {
  const { isAdded } = await addingOne();
  await fireEvent.click(screen.getByText(SETTINGS.name));
  await isAdded();
  await expect.poll(() => screen.getAllByLabelText<HTMLInputElement>('Name')[0]?.value).toBe(SETTINGS.name);
});

it('shows a new connection that was saved while something else was typed as one that is saved', async () => {
  const { isAdded } = await addingOne();
  const name = (): HTMLInputElement => screen.getAllByLabelText<HTMLInputElement>('Name')[0]!;
  await fireEvent.input(name(), { target: { value: '' } });
  await isAdded();
  expect([name().value, screen.queryByText('Not saved')]).toEqual(['', null]);
  expect(screen.getByRole('heading', { name: 'Second desk' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Save connection' })).toBeNull();
  await fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
  await expect.poll(() => name().value).toBe('Second desk');
  expect(screen.getByRole('button', { name: 'Remove…' })).toBeTruthy();
});

it('keeps what is typed while the form is being saved, as changes of what was saved', async () => {
  const reply = Promise.withResolvers<Result<ConnectionSummary>>();
  const { app, requests } = await fixture('live', { 'connections.update': () => reply.promise });
  const settings = { ...SETTINGS, signing: SIGNING_PRESETS.query.profile };
  const connection = { ...app.session.connections[0]!, settings };
  app.session.replace({ ...app.session.state!, connections: [connection] });
  render(InApp, { app, component: Connections });
  const name = (): HTMLInputElement => screen.getAllByLabelText<HTMLInputElement>('Name')[0]!;
  const save = () => fireEvent.submit(name().closest('form')!);
  await fireEvent.input(name(), { target: { value: 'Second desk' } });
  await save();
  await fireEvent.input(name(), { target: { value: 'Third desk' } });
  reply.resolve(done({ ...connection, settings: { ...settings, name: 'Second desk' } }));
  await settled();
  flushSync();
  expect([name().value, screen.getByRole('button', { name: 'Save changes' })]).toMatchObject([
    'Third desk',
    { disabled: false },
  ]);
  await save();
  const updates = requests.filter((one) => one.name === 'connections.update');
  expect(updates.at(-1)?.input).toMatchObject({ settings: { name: 'Third desk' } });
});

it('keeps the form of a new connection that was begun before a removal ended', async () => {
  const reply = Promise.withResolvers<Result<null>>();
  const { app } = await fixture('live', {
    'connections.remove': () => reply.promise,
    'journal.list': () => done([]),
  });
  const settings = { ...SETTINGS, signing: SIGNING_PRESETS.query.profile };
  const active = { ...app.session.connections[0]!, settings };
  const other = { ...active, id: 'live-2', settings: { ...settings, name: 'Old desk' } };
  app.session.replace({ ...app.session.state!, connections: [active, other] });
  render(InApp, { app, component: Connections });
  const type = (label: string, value: string) =>
    fireEvent.input(screen.getAllByLabelText(label)[0]!, { target: { value } });
  await fireEvent.click(screen.getByText('Old desk'));
  await fireEvent.click(screen.getByText('Remove…'));
  await type('Type “Old desk” to remove it', 'Old desk');
  await fireEvent.click(screen.getByText('Remove connection'));
  const keychain = { state: 'waiting', message: '' } as const;
  app.session.replace({ ...app.session.state!, keychain });
  await fireEvent.click(await screen.findByText('Close'));
  await fireEvent.click(screen.getByRole('button', { name: 'Add connection' }));
  await type('Name', 'Second desk');
  app.session.replace({ ...app.session.state!, connections: [active] });
  reply.resolve(done(null));
  await expect.poll(() => app.notices.list.at(-1)?.title).toBe('Old desk removed');
  flushSync();
  expect(screen.getAllByLabelText('Name')[0]).toHaveProperty('value', 'Second desk');
});

it('starts a new connection in its name', async () => {
  const { app } = await fixture();
  app.navigation.screen = 'settings';
  app.navigation.go('settings', { part: 'add-connection' });
  render(InApp, { app, component: Connections });
  const name = (): HTMLInputElement => screen.getAllByRole<HTMLInputElement>('textbox', { name: 'Name' })[0]!;
  await expect.poll(() => document.activeElement).toBe(name());
  // Another press comes back to it, and takes nothing that was typed.
  await fireEvent.input(name(), { target: { value: 'Second desk' } });
  name().blur();
  await fireEvent.click(screen.getByRole('button', { name: 'Add connection' }));
  await expect.poll(() => document.activeElement).toBe(name());
  expect(name().value).toBe('Second desk');
});

it('follows a link to the unit of the rates to its field, from another connection too', async () => {
  const { app } = await fixture();
  if (app.session.state === null) throw new Error('no session');
  const settings = { ...SETTINGS, signing: SIGNING_PRESETS.query.profile };
  const connections = app.session.connections.map((one) => ({ ...one, settings }));
  app.session.replace({ ...app.session.state, connections });
  app.navigation.screen = 'settings';
  app.navigation.go('settings', { part: 'add-connection' });
  render(InApp, { app, component: Connections });
  flushSync();
  app.navigation.go('settings', { part: 'rate-unit' });
  const unit = (): HTMLElement => screen.getByRole('combobox', { name: 'Unit of margin and profit rates' });
  await expect.poll(() => document.activeElement === unit()).toBe(true);
  app.navigation.go('settings', { part: 'secret' });
  await expect.poll(() => document.activeElement === screen.getByLabelText('Secret')).toBe(true);
  expect(app.navigation.link).toBeNull();
});

it('asks before a link to a new connection leaves a section with unsaved changes', async () => {
  const { app } = await fixture();
  const { navigation } = app;
  navigation.screen = 'settings';
  navigation.settingsSection = 'about';
  render(InApp, { app, component: Settings });
  const left: (() => void)[] = [];
  navigation.beforeLeaving = (leave) => left.push(leave);
  navigation.go('settings', { part: 'add-connection' });
  flushSync();
  expect([left.length, navigation.settingsSection]).toEqual([1, 'about']);
  left[0]?.();
  flushSync();
  expect([navigation.settingsSection, navigation.link]).toEqual(['connections', null]);
  expect(screen.getByRole('button', { name: 'Add connection' }).getAttribute('aria-pressed')).toBe('true');
});

it('asks before habits chosen for the practice exchange are lost', async () => {
  const habit: PracticeHabit = {
    ...{ name: 'page-base', group: 'Pages', preset: '1', value: '0', meaning: 'First page.', line: '' },
    values: ['1', '0'].map((value) => ({ value, meaning: `${value}.` })),
  };
  const { app } = await fixture('practice', { 'practice.habits': () => done([habit]) });
  const controls = new PracticeControls(app.calls);
  render(InApp, { app, component: PracticeHabits as never, given: { controls } });
  await settled();
  await fireEvent.click(screen.getByRole('button', { name: 'Use the defaults' }));
  let isLeft = false;
  const leave = (): void => {
    app.navigation.leave(() => (isLeft = true));
    flushSync();
  };
  leave();
  expect(question()).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: /Keep editing/ }));
  expect(isLeft).toBe(false);
  leave();
  await fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
  expect(isLeft).toBe(true);
});
