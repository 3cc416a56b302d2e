import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { TRADING_CODES } from '../../../src-shared/exchange-api/error-codes.ts';
import { done } from '../../../src-shared/ipc/failures.ts';
import { NOW } from '../../../tests/domain/order-samples.ts';
import { fixture, record } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import Ticket from './Ticket.svelte';

it.each([
  ['700017', 'Size', 'Share of free margin', /Balance insufficient.*Lower the quantity or free some margin/],
  ['700011', 'Price', 'Size', /Price invalid.*Check the decimals and the range of the price/],
  ['700069', 'TP trigger', 'SL trigger', /must be above the current price.*Raise the take profit/],
] as const)('shows rejection %s at its field, %s, above %s', async (code, label, below, meaning) => {
  const { meaning: message, next, concerns: field } = TRADING_CODES[code]!;
  const failure = { kind: 'rejected' as const, message: `${message}.`, next, field, code };
  const events = [{ at: NOW, state: 'rejected' as const, text: 'Rejected', failure }];
  const { app, count } = await fixture('practice', {
    'orders.send': () => done(record({ state: 'rejected', orderId: null, code, events })),
  });
  app.navigation.symbol = 'BTC-USDT-M';
  const types = { tpTriggerType: 'MARK_PRICE', slTriggerType: 'MARK_PRICE' };
  const stops = { tpSlOn: true, tpPrice: '98000.0', slPrice: '96000.0', ...types };
  Object.assign(app.ticket.fields, { price: '97000.0', size: '0.100', ...stops });
  render(InApp, { app, component: Ticket });
  const input = (name: string): HTMLInputElement => screen.getByLabelText(name, { selector: 'input' });
  expect(input(label).getAttribute('aria-invalid')).not.toBe('true');

  await app.ticket.submit();
  expect(app.review.shown).toBe(true);
  await app.review.send(null);
  flushSync();
  expect(count('orders.send')).toBe(1);
  expect(app.review.shown).toBe(false);
  const banner = screen.getByTestId('ticket-failure').textContent;
  expect(banner).toContain('Rejected by the exchange. Nothing was placed.');
  expect(banner).toContain(`Code ${code}`);
  expect(input(label).getAttribute('aria-invalid')).toBe('true');
  const [described = ''] = input(label).getAttribute('aria-describedby')?.split(' ') ?? [];
  const text = document.getElementById(described)!;
  expect(text.textContent).toMatch(meaning);
  expect(text.compareDocumentPosition(input(label))).toBe(Node.DOCUMENT_POSITION_PRECEDING);
  expect(text.compareDocumentPosition(input(below))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(input(below).getAttribute('aria-invalid')).not.toBe('true');
  expect([input('Price').value, input('Size').value]).toEqual(['97000.0', '0.100']);
});
