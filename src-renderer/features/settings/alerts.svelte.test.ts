import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { DEFAULT_ALERTS, DEFAULT_SETTINGS } from '../../../src-shared/ipc/default-settings.ts';
import { blockedFailure, done, failed } from '../../../src-shared/ipc/failures.ts';
import { fixture, settled } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { AlertForm } from './alert-settings.ts';
import Alerts from './Alerts.svelte';

const DANGER = 'Liquidation distance, danger';

async function leave(label: string, text: string): Promise<HTMLInputElement> {
  const field = screen.getByLabelText<HTMLInputElement>(`${DANGER}: ${label}`);
  await fireEvent.input(field, { target: { value: text } });
  await fireEvent.blur(field);
  await settled();
  return field;
}

it('keeps an invalid text and the old value of its field, and saves a valid one', async () => {
  const all = await fixture();
  all.replies['settings.set'] = () => done(DEFAULT_SETTINGS);
  render(InApp, { app: all.app, component: Alerts });
  const invalid = await leave('trigger at', '0.5');
  const message = '“0.5”: a percentage from 1 to 50, such as 7.5. The old value still applies.';
  expect([invalid.value, screen.queryByText(message) !== null]).toEqual(['0.5', true]);
  expect(all.count('settings.set')).toBe(0);
  const valid = await leave('trigger at', ' 7.5 ');
  expect([valid.value, screen.queryByText(message)]).toEqual(['7.5', null]);
  const danger = { ...DEFAULT_ALERTS.rules['liquidation-danger'], threshold: '7.5' };
  expect(all.requests.at(-1)?.input).toMatchObject({ alerts: { rules: { 'liquidation-danger': danger } } });
  await leave('repeat after', '');
  expect(all.requests.at(-1)?.input).toMatchObject({
    alerts: { rules: { 'liquidation-danger': { repeatMinutes: null } } },
  });
});

it('keeps what is typed in a field while its earlier text is being saved', async () => {
  const all = await fixture();
  let saved = (): void => undefined;
  all.replies['settings.set'] = () =>
    new Promise((resolve) => (saved = () => resolve(done(DEFAULT_SETTINGS))));
  render(InApp, { app: all.app, component: Alerts });
  const field = await leave('trigger at', '7.5');
  await fireEvent.input(field, { target: { value: '7.25' } });
  saved();
  await settled();
  expect(field.value).toBe('7.25');
});

it('says why a valid text was not saved, as the main process says it', async () => {
  const all = await fixture();
  all.replies['settings.set'] = () =>
    failed(blockedFailure('The settings could not be written.', 'Free space.'));
  render(InApp, { app: all.app, component: Alerts });
  await leave('trigger at', '7.5');
  expect(screen.queryByText('The settings could not be written.')).toBeTruthy();
});

it('does not switch off critical alerts', async () => {
  const all = await fixture();
  const form = new AlertForm(all.app.settings);
  expect(await form.switchRule('unknown', { on: false })).toBe('this rule cannot be switched off');
  expect(all.count('settings.set')).toBe(0);
});
