import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { LINEAR } from '../../../tests/domain/order-samples.ts';
import { feed } from '../../../tests/renderer/fake-bridge.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import ContractPicker from './ContractPicker.svelte';

it('starts each search anew', async () => {
  const { app } = await fixture();
  app.navigation.symbol = 'BTC-USDT-M';
  render(InApp, { app, component: ContractPicker });
  const button = screen.getByRole('button', { name: /BTC-USDT-M/ });
  const panel = document.getElementById(button.getAttribute('popovertarget') ?? '')!;
  const toggle = (newState: string) => fireEvent(panel, Object.assign(new Event('toggle'), { newState }));
  const search = () => screen.getByLabelText<HTMLInputElement>('Search contracts');

  await toggle('open');
  await fireEvent.input(search(), { target: { value: 'eth' } });
  await toggle('closed');
  await toggle('open');
  expect(search().value).toBe('');
  expect(document.getElementById(search().getAttribute('aria-controls') ?? '')?.children.length).toBe(
    app.feeds.choosable.length,
  );
});

it('counts a single contract', async () => {
  const { app, push } = await fixture();
  push('feed', { connectionId: 'live-1', name: 'contracts', feed: feed([LINEAR], 9) });
  render(InApp, { app, component: ContractPicker });
  const panel = document.getElementById(screen.getByRole('button').getAttribute('popovertarget') ?? '')!;
  await fireEvent(panel, Object.assign(new Event('toggle'), { newState: 'open' }));
  expect(screen.getByPlaceholderText('Search 1 contract')).toBeTruthy();
});

it('lists the contracts with a position first, then by name, alike in every language', async () => {
  const { app, push } = await fixture();
  const contracts = ['ZRX-USDT-M', 'a-USDT-M', 'BTC-USDT-M', 'AAVE-USDT-M', 'ADA-USDT-M'].map((symbolId) => ({
    ...LINEAR,
    symbolId,
  }));
  push('feed', { connectionId: 'live-1', name: 'contracts', feed: feed(contracts, 9) });
  const names = app.feeds.choosable.map(({ symbolId }) => symbolId.slice(0, -'-USDT-M'.length));
  expect(names).toEqual(['BTC', 'AAVE', 'ADA', 'ZRX', 'a']);
});

it('says to a screen reader what its button chooses', async () => {
  const { app } = await fixture();
  app.navigation.symbol = 'BTC-USDT-M';
  render(InApp, { app, component: ContractPicker });
  expect(screen.getByRole('button', { name: 'Contract BTC-USDT-M' })).toBeTruthy();
});
