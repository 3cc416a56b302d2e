import { fireEvent, render, screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { blockedFailure, done, failed } from '../../../src-shared/ipc/failures.ts';
import type { IntentRecord, ShownCheck } from '../../../src-shared/ipc/orders.ts';
import { fixture, record, settled } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import Activity from './Activity.svelte';
import Candidates from './Candidates.svelte';
import { replyTime, urgency } from './journal.svelte.ts';
import FoundCard from './FoundCard.svelte';
import { timelineOf } from './timeline.ts';

const body = '{"symbolId":"BTC-USDT-M","side":"BUY","quantity":0.850,"type":"LIMIT","price":97250.0}';
const lost: IntentRecord = record({
  id: 'lost',
  state: 'unknown',
  orderId: null,
  body,
  createdAt: 1_000,
  events: [
    { at: 1_000, state: 'recorded', text: 'Recorded in the journal' },
    { at: 1_001, state: 'sending', text: 'Sending' },
    {
      at: 11_001,
      state: 'unknown',
      text: 'No reply in 10 s',
      failure: { kind: 'unknown', message: 'No reply in 10 s.', next: 'Look for it; do not send it again.' },
    },
  ],
});

async function shown(closed: IntentRecord = { ...lost, state: 'dismissed' }) {
  const all = await fixture('live', {
    'journal.list': () => done([record({ id: 'later', createdAt: 9_000_000 }), lost]),
    'orders.dismiss': () => done(closed),
  });
  render(InApp, { app: all.app, component: Activity });
  return all;
}

it('shows a damaged journal line until its symbol is typed, and holds the ticket until then', async () => {
  const { app, requests } = await fixture('live', {
    'journal.damage': () =>
      done([
        {
          id: 'damage-1',
          line: 4,
          connectionId: 'live-1',
          symbolId: 'BTC-USDT-M',
          side: 'BUY' as const,
          text: '{"v":x',
        },
      ]),
    'journal.acknowledge': () => done(null),
  });
  app.navigation.symbol = 'BTC-USDT-M';
  expect(app.ticket.damage?.line).toBe(4);
  app.ticket.fields.side = 'SELL';
  expect(app.ticket.damage).toBeNull();
  render(InApp, { app, component: Activity });
  const card = screen.getByRole('region', { name: 'Damaged line 4 of the order journal' });
  expect(card.textContent).toContain('BTC-USDT-M buys are held');
  const button = within(card).getByRole('button', { name: 'Acknowledge' });
  expect(button).toHaveProperty('disabled', true);
  await fireEvent.input(within(card).getByLabelText('Type BTC-USDT-M'), {
    target: { value: 'BTC-USDT-M' },
  });
  await fireEvent.click(button);
  await settled();
  expect(requests.at(-1)).toMatchObject({ name: 'journal.acknowledge', input: { damageId: 'damage-1' } });
  expect(screen.queryByRole('region', { name: /Damaged line/ })).toBeNull();
});

describe('a found order', () => {
  it.each([
    ['no other', [], 'BTC-USDT-M buys are no longer held.'],
    ['another unknown', [lost], 'Another unknown outcome still holds BTC-USDT-M buys.'],
  ] as const)('says whether its hold is over: beside %s', async (_, others, text) => {
    const found = record({ id: 'found', state: 'matched', body });
    const { app } = await fixture('live', { 'journal.list': () => done([found, ...others]) });
    render(InApp, { app, component: FoundCard as never, given: { record: found, onclose: () => {} } });
    expect(screen.getByRole('region', { name: /^Found: / }).textContent).toContain(text);
  });
});

describe('an unknown outcome', () => {
  it('is listed above newer orders, with its timeline and what to do, and never called failed', async () => {
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

  it('is dismissed only by typing its exact symbol', async () => {
    const { requests, count } = await shown();
    await fireEvent.click(screen.getByText('Dismiss…'));
    const field = screen.getByLabelText('Type BTC-USDT-M');
    const submit = (): Promise<boolean> => fireEvent.submit(field.closest('form')!);
    for (const typed of ['', 'btc-usdt-m', 'BTC-USDT-M ']) {
      await fireEvent.input(field, { target: { value: typed } });
      await submit();
    }
    expect(count('orders.dismiss')).toBe(0);
    await fireEvent.input(field, { target: { value: 'BTC-USDT-M' } });
    await submit();
    await settled();
    expect(requests.find(({ name }) => name === 'orders.dismiss')?.input).toEqual({
      intentId: 'lost',
      typed: 'BTC-USDT-M',
    });
  });
});

describe('reconciliation', () => {
  const check = (round: number, verdict: ShownCheck['verdict'], ids: readonly string[] = []): ShownCheck => ({
    round,
    at: 12_000 + round * 1_000,
    since: 0,
    reads: [],
    verdict,
    text: `Round ${round}: read.`,
    hints: ids.map((id) => `Trades of ${id}: none`),
    nextAt: null,
    candidates: ids.map((orderId) => ({
      orderId,
      list: 'open-orders',
      symbolId: 'BTC-USDT-M',
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      price: '97250.0',
      totalQuantity: '0.850',
      tradeQuantity: '0',
      status: 'OPEN',
      reduceOnly: false,
      postOnly: false,
      reverseOrder: null,
      liquidation: false,
      createdAt: 12_000,
    })),
  });
  const looked = (checks: readonly ShownCheck[], rounds = checks.length, absent = rounds): IntentRecord => ({
    ...lost,
    finding: { checks, rounds, absent },
  });
  const ambiguous = looked([check(1, 'absent'), check(2, 'ambiguous', ['71', '72'])], 2, 1);

  async function cardOf(one: IntentRecord) {
    const all = await fixture('live', {
      'journal.list': () => done([one]),
      'orders.match': () => done({ ...one, state: 'matched-by-user', orderId: '72' }),
      'orders.checkNow': () => done(null),
    });
    render(InApp, { app: all.app, component: Activity });
    return { ...all, card: screen.getByRole('region', { name: /^Outcome unknown/ }) };
  }

  it('lists every check with what it read; an order not found is never called not placed', async () => {
    const { card } = await cardOf(looked([check(1, 'absent'), check(2, 'undecided')], 2, 1));
    expect(card.textContent).toContain('Not found in 1 complete check');
    expect([...card.querySelectorAll('.word')].map((one) => one.textContent)).toEqual([
      'Recorded.',
      'Sending.',
      'Outcome unknown.',
      'No match.',
      'Undecided.',
    ]);
    expect(within(card).queryByRole('radio')).toBeNull();
  });

  it('counts the checks in the middle instead of listing them', () => {
    const many = Array.from({ length: 40 }, (_, index) => check(index + 21, 'absent'));
    const all = timelineOf(looked(many, 60));
    const words = all.map((one) => one.label);
    expect(all[3]?.text).toBe('Kept in the journal file.');
    expect(words.slice(3)).toEqual(['57 more checks', 'No match', 'No match', 'No match']);
    const few = Array.from({ length: 7 }, (_, index) => check(index + 1, 'absent'));
    expect(timelineOf(looked(few)).map((one) => one.label)).toContain('2 more checks');
  });

  it('shows a verdict once, though the journal’s text ends with it too', () => {
    const one = { ...check(1, 'absent'), text: 'Round 1: Open orders, 3 read. No match.' };
    expect(timelineOf(looked([one])).at(-1)).toMatchObject({
      label: 'No match',
      text: 'Round 1: Open orders, 3 read.',
    });
  });

  it('says why an order could not be chosen, also once a later check no longer lists it', async () => {
    const failure = blockedFailure('Order 72 matches another request now.', 'Choose again.');
    const { app } = await fixture('live', { 'orders.match': () => failed(failure) });
    const view = render(InApp, { app, component: Candidates as never, given: { record: ambiguous } });
    await fireEvent.click(screen.getAllByRole('radio')[1]!);
    const field = screen.getByLabelText('Type BTC-USDT-M');
    await fireEvent.input(field, { target: { value: 'BTC-USDT-M' } });
    await fireEvent.submit(field.closest('form')!);
    await settled();
    expect(view.container.textContent).toContain('Order 72 matches another request now.');
    await view.rerender({ given: { record: looked([check(3, 'ambiguous', ['71', '73'])], 3, 1) } });
    expect(screen.getByRole('button').textContent).toBe('Choose an order');
    expect(view.container.textContent).toContain('Order 72 matches another request now.');
    await fireEvent.click(screen.getAllByRole('radio')[0]!);
    expect(view.container.textContent).not.toContain('Order 72 matches');
  });

  it('checks again on request', async () => {
    const { requests } = await cardOf(ambiguous);
    await fireEvent.click(screen.getByText('Check now'));
    expect(requests.find(({ name }) => name === 'orders.checkNow')?.input).toEqual({
      connectionId: 'live-1',
      symbolId: 'BTC-USDT-M',
    });
  });

  it('assigns an order to the intent only after it was chosen and the symbol typed', async () => {
    const { requests, count, card } = await cardOf(ambiguous);
    expect(card.textContent).toContain('2 orders match');
    const form = within(card).getAllByRole('radio')[0]!.closest('form')!;
    await fireEvent.submit(form);
    await fireEvent.click(within(card).getAllByRole('radio')[1]!);
    await fireEvent.submit(form);
    await fireEvent.input(screen.getByLabelText('Type BTC-USDT-M'), { target: { value: 'btc-usdt-m' } });
    await fireEvent.submit(form);
    expect(count('orders.match')).toBe(0);
    await fireEvent.input(screen.getByLabelText('Type BTC-USDT-M'), { target: { value: 'BTC-USDT-M' } });
    expect(screen.getByText('This is mine')).toBeDefined();
    await fireEvent.submit(form);
    await settled();
    expect(requests.find(({ name }) => name === 'orders.match')?.input).toEqual({
      intentId: 'lost',
      orderId: '72',
      typed: 'BTC-USDT-M',
    });
  });
});

describe('the figures of the journal', () => {
  it('measure the time from the first byte to the reply, or say that none came', () => {
    const sent = { at: 1_000, state: 'sending', text: '' } as const;
    const then = (...events: IntentRecord['events']) => replyTime(record({ events: [sent, ...events] }));
    expect(then({ at: 1_022, state: 'rejected', text: '' })).toBe(22);
    expect(replyTime(lost)).toBe('none');
    expect(then({ at: 9_000, state: 'unknown', text: '' }, { at: 9_400, state: 'matched', text: '' })).toBe(
      'none',
    );
    const batch = { id: 'batch-1', row: 0, of: 2, call: 0 };
    const row = (lost: Partial<IntentRecord['events'][number]>) =>
      replyTime(record({ batch, events: [sent, { at: 1_030, state: 'unknown', text: '', ...lost }] }));
    expect(row({})).toBe(30);
    // A reply that confirms nothing is one all the same.
    const unclear = {
      kind: 'unknown',
      message: 'An empty reply (HTTP 429).',
      next: '',
      status: 429,
    } as const;
    expect(then({ at: 1_017, state: 'unknown', text: '', failure: unclear })).toBe(17);
    expect(row({ failure: { kind: 'unknown', message: 'No reply.', next: 'Wait.' } })).toBe('none');
    expect(replyTime(record({ events: [{ at: 1, state: 'not-sent', text: '' }] }))).toBeNull();
    expect(replyTime(record({ events: [{ at: 1, state: 'sending', text: '' }] }))).toBeNull();
  });
  it('sort unknown outcomes above anything newer', () => {
    expect(urgency(lost)).toBeGreaterThan(urgency(record({ createdAt: Date.UTC(2100, 0, 1) })));
  });
});
