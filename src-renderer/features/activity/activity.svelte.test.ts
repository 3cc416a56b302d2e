import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { done } from '../../../src-shared/contract/failures.ts';
import type { IntentRecord } from '../../../src-shared/contract/orders.ts';
import { fixture, record, settled } from '../../state/testing/app-fixture.ts';
import InApp from '../../testing/InApp.svelte';
import Activity from './Activity.svelte';
import { answeredAfter, urgency } from './journal.svelte.ts';

// happy-dom knows no modal dialogs.
beforeEach(() => {
  vi.spyOn(HTMLDialogElement.prototype, 'showModal').mockImplementation(function (this: HTMLDialogElement) {
    this.open = true;
  });
});
afterEach(() => {
  cleanup();
  localStorage.clear();
});

const body = '{"symbolId":"BTC-USDT-M","side":"BUY","quantity":0.850,"type":"LIMIT","price":97250.0}';
const lost: IntentRecord = record({
  id: 'lost',
  state: 'unknown',
  orderId: null,
  body,
  createdAt: 1_000,
  events: [
    { at: 1_000, state: 'recorded', text: 'Written to the journal' },
    { at: 1_001, state: 'sending', text: 'Sending' },
    {
      at: 11_001,
      state: 'unknown',
      text: 'No answer in 10 s',
      failure: { kind: 'unknown', message: 'No answer in 10 s.', next: 'Look for it; do not send it again.' },
    },
  ],
});

async function shown(closed: IntentRecord = { ...lost, state: 'closed' }) {
  const all = await fixture('live', {
    'journal.list': () => done([record({ id: 'later', createdAt: 9_000_000 }), lost]),
    'orders.closeUnknown': () => done(closed),
  });
  render(InApp, { app: all.app, component: Activity });
  return all;
}

describe('an unknown outcome', () => {
  it('stands on top of newer answers, with its timeline and way out, never as failed', async () => {
    await shown();
    const card = screen.getByRole('region', { name: /^Outcome unknown: Buy 0.850 BTC-USDT-M/ });
    expect(card.textContent).toContain('Look for it; do not send it again.');
    expect(card.textContent.toLowerCase()).not.toContain('failed');
    expect(screen.getAllByRole('row')[1]?.textContent).toContain('Outcome unknown');
  });

  it('shows the exact bytes', async () => {
    await shown();
    await fireEvent.click(screen.getAllByLabelText('Show details')[0]!);
    expect(document.querySelector('pre')?.textContent).toBe(body);
  });

  it('is closed only by typing its symbol, exactly', async () => {
    const { asked, count } = await shown();
    await fireEvent.click(screen.getByText('Close the question…'));
    const field = screen.getByLabelText('Type BTC-USDT-M');
    const submit = (): Promise<boolean> => fireEvent.submit(field.closest('form')!);
    for (const typed of ['', 'btc-usdt-m', 'BTC-USDT-M ']) {
      await fireEvent.input(field, { target: { value: typed } });
      await submit();
    }
    expect(count('orders.closeUnknown')).toBe(0);
    await fireEvent.input(field, { target: { value: 'BTC-USDT-M' } });
    await submit();
    await settled();
    expect(asked.find(({ name }) => name === 'orders.closeUnknown')?.input).toEqual({
      intentId: 'lost',
      typed: 'BTC-USDT-M',
    });
  });
});

describe('the journal’s figures', () => {
  it('measure from the first byte to the outcome', () => {
    expect(answeredAfter(lost)).toBe(10_000);
    expect(answeredAfter(record({ events: [{ at: 1, state: 'not-sent', text: '' }] }))).toBeNull();
    expect(answeredAfter(record({ events: [{ at: 1, state: 'sending', text: '' }] }))).toBeNull();
  });
  it('put open questions before anything newer', () => {
    expect(urgency(lost)).toBeGreaterThan(urgency(record({ createdAt: Date.UTC(2100, 0, 1) })));
  });
});
