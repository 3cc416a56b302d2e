import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { expect, it } from 'vitest';
import { done } from '../../../src-shared/ipc/failures.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import Settings from './Settings.svelte';

it('asks before a link to the practice controls leaves what is typed in another section', async () => {
  const { app } = await fixture('live', { 'webhooks.list': () => done([]) });
  const { navigation } = app;
  navigation.go('settings', { part: 'away' });
  render(InApp, { app, component: Settings as never });
  await fireEvent.click(await screen.findByRole('button', { name: 'Add webhook' }));
  await fireEvent.input(screen.getByLabelText('Name'), { target: { value: 'Desk' } });
  navigation.go('settings', { part: 'practice' });
  await tick();
  await fireEvent.click(screen.getByRole('button', { name: /Keep editing/ }));
  expect([navigation.settingsSection, navigation.link]).toEqual(['away', null]);
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Desk');
  navigation.go('settings', { part: 'practice' });
  await tick();
  await fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
  expect(await screen.findByText('Connections', { selector: 'h2' })).toBeTruthy();
});
