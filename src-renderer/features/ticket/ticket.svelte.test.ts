import { fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { account, asset, position } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import Ticket from './Ticket.svelte';

it('groups the digits of the size on the button that reviews it', async () => {
  const { app, accountIs } = await fixture();
  const held = { quantity: '2400', avgEntryPrice: '60000.0', entryValue: '0.04', markPrice: '97000.0' };
  const free = { balance: '5', locked: '0', crossProfitUnreal: '0', available: '5' };
  accountIs(account([position({ symbolId: 'BTC-USD-M', ...held })], [asset({ coin: 'BTC', ...free })]));
  app.navigation.symbol = 'BTC-USD-M';
  Object.assign(app.ticket.fields, { price: '96000', size: '31995' });
  flushSync();
  render(InApp, { app, component: Ticket });
  const button = screen.getByTestId('ticket-review');
  expect(button.textContent.replaceAll(/\s+/g, ' ')).toContain('Review buy · 31,995 USD');
});

it('asks for the review by Enter in a number, once for a held key, and never from another field', async () => {
  const { app, count } = await fixture();
  app.navigation.symbol = 'BTC-USDT-M';
  render(InApp, { app, component: Ticket });
  const input = (name: string): HTMLInputElement => screen.getByLabelText(name, { selector: 'input' });
  await fireEvent.input(input('Price'), { target: { value: '97000.0' } });
  await fireEvent.keyDown(input('Price'), { key: 'Enter' });
  // What is missing gets the focus, as with F9.
  expect(document.activeElement).toBe(input('Size'));
  expect(count('orders.review')).toBe(0);
  await fireEvent.input(input('Size'), { target: { value: '0.100' } });
  for (const how of [{ repeat: true }, { ctrlKey: true }, { shiftKey: true }])
    await fireEvent.keyDown(input('Size'), { key: 'Enter', ...how });
  await fireEvent.keyDown(screen.getByLabelText('Post-only'), { key: 'Enter' });
  expect(app.review.shown).toBe(false);
  await fireEvent.keyDown(input('Size'), { key: 'Enter' });
  await expect.poll(() => app.review.shown).toBe(true);
});

it('goes on in the size after its unit was chosen outside a field, and by a digit', async () => {
  const { app } = await fixture();
  app.navigation.symbol = 'BTC-USDT-M';
  Object.assign(app.ticket.fields, { price: '97000.0', size: '0.100' });
  flushSync();
  render(InApp, { app, component: Ticket });
  const input = (name: string): HTMLInputElement => screen.getByLabelText(name, { selector: 'input' });
  const [pane, unit, size] = [screen.getByTestId('ticket'), screen.getByLabelText('% free'), input('Size')];
  const selected = (): boolean =>
    document.activeElement === size && size.selectionStart === 0 && size.selectionEnd === size.value.length;

  pane.focus();
  await fireEvent.keyDown(pane, { key: '2', code: 'Digit2', altKey: true });
  expect([app.ticket.fields.sizeMode, size.value, selected()]).toEqual(['notional', '9700', true]);
  unit.focus();
  await fireEvent.keyDown(unit, { key: 'ArrowRight' });
  expect(document.activeElement).toBe(unit);
  await fireEvent.keyDown(unit, { key: '5' });
  expect(selected()).toBe(true);
  // Digits elsewhere may be meant for another field, and a field that is being typed in is not left.
  input('Price').focus();
  await fireEvent.keyDown(input('Price'), { key: '1', code: 'Digit1', altKey: true });
  expect(document.activeElement).toBe(input('Price'));
  pane.focus();
  await fireEvent.keyDown(pane, { key: '5' });
  expect(document.activeElement).toBe(pane);
});

it('changes a price by ticks, a size by lots and a share by percents with the arrow keys', async () => {
  const { app, accountIs } = await fixture();
  accountIs(account([position()]));
  app.navigation.symbol = 'BTC-USDT-M';
  render(InApp, { app, component: Ticket });
  const input = (name: string): HTMLInputElement => screen.getByLabelText(name, { selector: 'input' });
  const press = (name: string, key: string, how = {}) => fireEvent.keyDown(input(name), { key, ...how });
  // From the mark while it is empty.
  await press('Price', 'ArrowUp');
  await press('Price', 'ArrowUp', { shiftKey: true });
  expect(app.ticket.fields.price).toBe('97001.1');
  await fireEvent.input(input('Size'), { target: { value: '0.1' } });
  await press('Size', 'ArrowDown');
  expect(app.ticket.fields.size).toBe('0.099');
  app.ticket.fields.sizeMode = 'share';
  app.ticket.fields.size = '5';
  flushSync();
  await press('Size', 'ArrowUp');
  expect(app.ticket.fields.size).toBe('6');
  // A notional has no step.
  app.ticket.fields.sizeMode = 'notional';
  flushSync();
  expect(await press('Size', 'ArrowUp')).toBe(true);
  expect(app.ticket.fields.size).toBe('6');
});

it('says once that there is no position to reduce, and once why the exchange rejected a flag', async () => {
  const { app, accountIs } = await fixture();
  accountIs(account([]));
  app.navigation.symbol = 'BTC-USDT-M';
  Object.assign(app.ticket.fields, { price: '97000.0', size: '0.100', reduceOnly: true });
  render(InApp, { app, component: Ticket });
  const said = screen.getAllByText(
    (_, one) =>
      ['LI', 'P'].includes(one?.tagName ?? '') &&
      /There is no short BTC-USDT-M position to reduce/.test(one?.textContent ?? ''),
  );
  expect(said).toHaveLength(1);
  const failure = {
    kind: 'rejected',
    message: 'Post-only would fill.',
    next: '',
    field: 'postOnly',
  } as const;
  app.ticket.fields.failed = { by: 'exchange', failure, at: 0 };
  flushSync();
  expect(screen.getAllByText(/Post-only would fill/)).toHaveLength(1);
  // A share of a position that is not there is no check: it is said below the flags.
  Object.assign(app.ticket.fields, { failed: null, sizeMode: 'share', size: '50' });
  flushSync();
  expect(screen.getAllByText(/no position on the other side to take a share of/)).toHaveLength(1);
});

it('lists a danger before the warnings', async () => {
  const { app, accountIs } = await fixture();
  const free = { balance: '5000', locked: '0', crossProfitUnreal: '0', available: '5000', equities: '5000' };
  accountIs(account([], [asset(free)]));
  app.navigation.symbol = 'BTC-USDT-M';
  Object.assign(app.ticket.fields, { price: '97000.0', size: '0.900' });
  flushSync();
  render(InApp, { app, component: Ticket });
  const lines = screen.getByTestId('ticket-checks').querySelectorAll('li');
  expect([...lines].map((one) => one.textContent.trim())).toEqual([
    expect.stringMatching(/^Liquidation ≈ [\d.]+% from the mark/),
    expect.stringMatching(/^Crosses the price of your last fill/),
    expect.stringMatching(/× your USDT equity/),
  ]);
});

it('takes no key that was pressed in a panel opened from it', async () => {
  const { app } = await fixture();
  app.navigation.symbol = 'BTC-USDT-M';
  render(InApp, { app, component: Ticket });
  const panel = screen.getByRole('dialog', { name: 'Contract specs of BTC-USDT-M', hidden: true });
  const button = panel.appendChild(document.createElement('button'));
  const state = () => [app.ticket.fields.side, app.ticket.fields.type, app.ticket.fields.sizeMode];
  const before = state();
  for (const key of ['s', 'm']) await fireEvent.keyDown(button, { key });
  await fireEvent.keyDown(button, { key: '2', code: 'Digit2', altKey: true });
  expect(state()).toEqual(before);
  screen.getByTestId('ticket').focus();
  await fireEvent.keyDown(screen.getByTestId('ticket'), { key: 's' });
  expect(app.ticket.fields.side).toBe('SELL');
});
