import { fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { NO_DAY_LIMITS } from '../../../tests/renderer/day-state.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import DayLimitFields from './DayLimitFields.svelte';

it('asks before typed limits are lost, not for those that are set', async () => {
  const { app } = await fixture();
  const limits = { loss: { amount: '1000', coin: 'USDT' }, orders: 5 };
  const given = { day: { ...NO_DAY_LIMITS, limits } };
  Object.assign(app.navigation, { screen: 'settings', settingsSection: 'safety' });
  render(InApp, { app, component: DayLimitFields as never, given });
  const type = (value: string) =>
    fireEvent.input(screen.getByLabelText('Daily loss limit'), { target: { value } });
  await type('1');
  app.navigation.openSection('about');
  flushSync();
  expect(app.navigation.settingsSection).toBe('safety');
  expect(screen.getByRole('dialog', { name: 'Discard unsaved changes?' })).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: /Keep editing/ }));
  await type(' 1000 ');
  await fireEvent.input(screen.getByLabelText('Max opening orders a day'), { target: { value: ' 05' } });
  app.navigation.openSection('about');
  expect(app.navigation.settingsSection).toBe('about');
});

it('moves to the first field that is wrong when saved', async () => {
  const { app } = await fixture();
  render(InApp, { app, component: DayLimitFields as never, given: { day: NO_DAY_LIMITS } });
  const orders = screen.getByLabelText('Max opening orders a day');
  await fireEvent.input(orders, { target: { value: 'many' } });
  await fireEvent.submit(orders.closest('form')!);
  await expect.poll(() => document.activeElement).toBe(orders);
  const loss = screen.getByLabelText('Daily loss limit');
  await fireEvent.input(loss, { target: { value: 'some' } });
  await fireEvent.submit(orders.closest('form')!);
  await expect.poll(() => document.activeElement).toBe(loss);
});
