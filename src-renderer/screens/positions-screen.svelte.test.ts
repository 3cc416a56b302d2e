import { fireEvent, render, screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { positionFields, type AccountInfo } from '../../src-shared/exchange-api/account.ts';
import { openOrderFields, openOrderTpSlFields } from '../../src-shared/exchange-api/open-order.ts';
import { orderHistoryFields } from '../../src-shared/exchange-api/order-history.ts';
import { account, NOW, openOrder, position } from '../../tests/domain/order-samples.ts';
import { DEFAULT_SETTINGS } from '../../src-shared/ipc/default-settings.ts';
import type { OrderNote } from '../../src-shared/domain/history/order-notes.ts';
import { done, failed, type Result } from '../../src-shared/ipc/failures.ts';
import { type Replies, fixture, record, settled } from '../../tests/renderer/app-fixture.ts';
import { noFeeds } from '../../tests/renderer/fake-bridge.ts';
import InApp from '../../tests/renderer/InApp.svelte';
import { titleOf } from '../components/table/text-writer.ts';
import PositionsScreen from './PositionsScreen.svelte';

async function shown(replies: Replies = {}) {
  const all = await fixture('live', replies);
  render(InApp, { app: all.app, component: PositionsScreen });
  return all;
}
const ALL_FIELDS = /^All \d+ fields/;
const table = (name: string): HTMLElement => screen.getByRole('treegrid', { name });
const expand = async (name: string): Promise<HTMLElement> => {
  await fireEvent.click(within(table(name)).getAllByLabelText('Show details')[0]!);
  return table(name).querySelector<HTMLElement>('.expansion')!;
};
const fieldsIn = (place: HTMLElement): Set<string | null> =>
  new Set([...place.querySelectorAll('[data-field]')].map((one) => one.getAttribute('data-field')));

describe('every field is reachable', () => {
  it('of a position, in its expanded row', async () => {
    await shown();
    const details = await expand('Positions');
    await fireEvent.click(within(details).getByText(ALL_FIELDS));
    const missing = (): string[] => {
      const found = fieldsIn(details);
      return Object.keys(positionFields).filter((name) => !found.has(name));
    };
    await expect.poll(() => missing()).toEqual([]);
  });
  it('of an open order, including the fields of its TP/SL', async () => {
    const inner = {
      ...{ tpPrice: null, tpExecutePrice: null, tpPriceType: null },
      ...{ slPrice: null, slExecutePrice: null, slPriceType: null },
    };
    expect(Object.keys(inner).sort()).toEqual(Object.keys(openOrderTpSlFields).sort());
    const order = { ...openOrder({}), tpSl: inner };
    const all = await shown();
    const at = { receivedAt: 1, age: 0, latencyMs: 1, failure: null, failingSince: null, serial: 99 };
    all.push('feed', { connectionId: 'live-1', name: 'openOrders', feed: { ...at, value: [order] } });
    await settled();
    const found = fieldsIn(await expand('Open orders'));
    const wanted = [...Object.keys(openOrderFields), ...Object.keys(inner).map((name) => `tpSl.${name}`)];
    expect(wanted.filter((name) => !found.has(name))).toEqual([]);
  });
  it('of a past order', async () => {
    await shown();
    await fireEvent.click(screen.getByRole('tab', { name: 'Order history' }));
    const found = fieldsIn(await expand('Order history'));
    expect(Object.keys(orderHistoryFields).filter((name) => !found.has(name))).toEqual([]);
  });
});

describe('positions', () => {
  it('name the coin of a total that the head of its column does not name', async () => {
    const all = await shown();
    const linear = [1, 2, 3].map((id) => position({ positionId: String(id) }));
    const inverse = [4, 5].map((id) => position({ positionId: String(id), symbolId: 'BTC-USD-M' }));
    const unit = (coin: string, column: string): string | undefined =>
      table('Positions').querySelector(`[data-total="${coin}"] [data-column="${column}"] .unit`)?.textContent;
    all.accountIs(account([...linear, ...inverse]));
    await expect.poll(() => unit('BTC', 'value')).toBe('USD');
    expect([unit('BTC', 'margin'), unit('USDT', 'value'), unit('USDT', 'margin')]).toEqual([
      'BTC',
      undefined,
      undefined,
    ]);
    // Half and half: the heads name none.
    all.accountIs(account([...linear.slice(1), ...inverse]));
    await expect.poll(() => unit('USDT', 'value')).toBe('USDT');
    expect([unit('BTC', 'value'), unit('BTC', 'profitUnreal')]).toEqual(['USD', 'BTC']);
  });
  it('show “No liquidation” for 0, and — if the exchange sent nothing', async () => {
    const all = await shown();
    all.accountIs(account([position({ liquidPrice: '0', markPrice: null, profitUnreal: null })]));
    await settled();
    const cell = (field: string): string | undefined =>
      table('Positions').querySelector(`td[data-field="${field}"]`)?.textContent.trim();
    // A changed text is written in one of the next frames.
    await expect.poll(() => cell('liquidPrice')).toBe('No liquidation');
    expect(cell('markPrice')).toMatch(/^—/);
    expect(cell('profitUnreal')).toMatch(/^—/);
  });

  it('close by C on the focused row, which only opens the sheet', async () => {
    const { app, requests } = await shown();
    const row = table('Positions').querySelector<HTMLElement>('tr[data-index="0"]')!;
    row.focus();
    await fireEvent.keyDown(row, { key: 'c' });
    expect(app.close.position?.symbolId).toBe('BTC-USDT-M');
    expect(requests.some(({ name }) => name === 'orders.send')).toBe(false);
  });

  it('with the same id twice are two rows and do not break the screen', async () => {
    const all = await shown();
    all.accountIs(account([position(), position()]));
    await settled();
    expect(table('Positions').querySelectorAll('tr[data-index]').length).toBe(2);
  });

  it('keep the order when its size changes from a share to the quantity', async () => {
    const { app, accountIs } = await shown();
    accountIs(account([position()]));
    await settled();
    app.close.start(app.feeds.positions[0]!, 'part', '25');
    const quarter = app.close.reading.request?.quantity;
    expect(quarter).toBeDefined();
    app.close.sizeByQuantity();
    expect(app.close).toMatchObject({ sizeMode: 'quantity', size: quarter });
    expect(app.close.reading.request?.quantity).toBe(quarter);
    app.close.sizeByShare('100');
    expect(app.close).toMatchObject({ sizeMode: 'share', size: '100' });
  });

  it('say so when the filter hides them all, and how many there are', async () => {
    await shown();
    await fireEvent.click(screen.getByLabelText(/^Short/));
    expect(screen.getByText('No matching positions')).toBeTruthy();
    await fireEvent.click(screen.getByText('Clear filter'));
    expect(table('Positions').querySelectorAll('tr[data-index]').length).toBe(1);
  });
});

describe('figures that could not be read', () => {
  const CAME = { profitUnreal: 'n/a', quantity: '1,5', liquidPrice: `0.${'1'.repeat(60)}` };
  const odd = position({ profitUnreal: null, quantity: null, liquidPrice: null });
  const withOdd = (): AccountInfo =>
    account([{ ...odd, received: CAME }, position({ positionId: '7', symbolId: 'ETH-USDT-M' })]);

  it('are shown as received and marked, in the row and when expanded; other rows are unaffected', async () => {
    const all = await shown();
    all.accountIs(withOdd());
    await settled();
    const rowOf = (symbol: string): HTMLElement =>
      [...table('Positions').querySelectorAll<HTMLElement>('tr[data-index]')].find((row) =>
        row.textContent.includes(symbol),
      )!;
    const cell = (symbol: string, field: string): HTMLElement =>
      rowOf(symbol).querySelector<HTMLElement>(`td[data-field="${field}"]`)!;
    const [ODD, SOUND] = ['BTC-USDT-M', 'ETH-USDT-M'];
    await expect.poll(() => cell(ODD, 'profitUnreal').textContent.trim()).toBe('n/a');
    expect(cell(ODD, 'profitUnreal').innerHTML).toContain('unread');
    const title = (field: string): string | undefined => titleOf(cell(ODD, field).querySelector('.shown')!);
    expect(title('profitUnreal')).toBe('As received: n/a (cannot be read as this figure)');
    expect(cell(ODD, 'quantity').textContent.trim()).toBe('1,5');
    expect(title('liquidPrice')).toBe(`As received: ${CAME.liquidPrice} (too many digits to calculate with)`);
    expect(cell(SOUND, 'profitUnreal').innerHTML).not.toContain('unread');
    await fireEvent.click(within(rowOf(ODD)).getByLabelText('Show details'));
    const under = table('Positions').querySelector<HTMLElement>('.expansion')!;
    await fireEvent.click(within(under).getByText(ALL_FIELDS));
    await expect.poll(() => under.querySelector('[data-field="quantity"] .unread')?.textContent).toBe('1,5');
  });

  it('do not prevent closing all of the position; closing a part is refused with the reason', async () => {
    const { app, accountIs } = await shown();
    accountIs(withOdd());
    await settled();
    const [first] = app.feeds.positions;
    app.close.start(first!, 'all');
    expect(app.close.checks.filter(({ state }) => state === 'fail')).toEqual([]);
    expect(app.close.ready).toBe(true);
    app.close.choose('part');
    expect(app.close.ready).toBe(false);
    app.close.sizeMode = 'quantity';
    app.close.size = '0.5';
    expect(app.close.checks.filter(({ state }) => state === 'fail').map(({ message }) => message)).toEqual([
      'BTC-USDT-M quantity cannot be calculated with: 1,5. Close all of it instead.',
    ]);
    app.close.start(app.feeds.positions[1]!, 'part');
    expect(app.close.checks.filter(({ field, state }) => state === 'fail' && field === 'size')).toEqual([]);
  });

  it('an unreadable record is counted and shown, and blocks orders for its contract only', async () => {
    const all = await shown();
    const { unreadable } = {
      unreadable: [
        {
          record: 'position',
          message: 'data.positions[1].side: expected text, received null',
          symbolId: 'BTC-USDT-M',
          raw: '{"side":null}',
        },
      ],
    };
    const at = { receivedAt: NOW, age: 0, latencyMs: 1, failure: null, failingSince: null, serial: 99 };
    const value = account([position(), position({ positionId: '7', symbolId: 'BTC-USD-M' })]);
    all.push('feed', { connectionId: 'live-1', name: 'account', feed: { ...at, value, unreadable } });
    await settled();
    const [note] = screen.getAllByTestId('unreadable-records');
    expect(note!.textContent).toContain('1 record of this list cannot be read');
    expect(note!.textContent).toContain('Orders for BTC-USDT-M are blocked');
    expect(note!.textContent).toContain('{"side":null}');
    const faults = (index: number): string[] => {
      all.app.close.start(all.app.feeds.positions[index]!, 'all');
      return all.app.close.checks.filter(({ id }) => id === 'unread-record').map(({ state }) => state);
    };
    expect([faults(0), faults(1)]).toEqual([['fail'], []]);
  });
});

it('sizes of positions, open and past orders are shown in the quote coin if chosen', async () => {
  await shown({ 'settings.get': () => done({ ...DEFAULT_SETTINGS, sizeUnit: 'quote' }) });
  const cell = (name: string, field: string): string | undefined =>
    table(name).querySelector(`td[data-field="${field}"]`)?.textContent.replaceAll(/\s/g, '');
  expect(cell('Positions', 'quantity')).toMatch(/^≈[\d,]+\.\d\dUSDT$/);
  expect(cell('Open orders', 'quantity')).toMatch(/^≈[\d,]+\.\d\dUSDT$/);
  // Nothing is filled, so there is no value to convert.
  expect(cell('Open orders', 'tradeQuantity')).toBe('0');
  await fireEvent.click(screen.getByRole('tab', { name: 'Order history' }));
  expect(cell('Order history', 'totalQuantity')).toBe('≈190,000.00USDT');
});

it('sizes count what one contract stands for, in the quote coin and in what is left of the tier', async () => {
  const all = await shown({ 'settings.get': () => done({ ...DEFAULT_SETTINGS, sizeUnit: 'quote' }) });
  // 2 contracts of 10 at 97,000, in the tier up to 5,000,000.
  all.accountIs(account([position({ entryValue: '1900000.00' })]));
  await settled();
  const size = (): string | undefined =>
    table('Positions').querySelector('td[data-field="quantity"]')?.textContent.replaceAll(/\s/g, '');
  await expect.poll(size).toBe('≈1,940,000.00USDT');
  const details = await expand('Positions');
  expect(details.textContent.replaceAll(/\s/g, '')).toContain('Leftintier3≈3,060,000USDT·3.154×10BTC');
});

it('quantities name what one of them stands for, where the exchange counts contracts', async () => {
  const all = await shown();
  all.accountIs(account([position({ entryValue: '1900000.00' })]));
  await expect.poll(() => table('Positions').textContent).toContain('×10 BTC');
  expect(all.app.specs.coinsOf('BTC-USDT-M')?.quantity).toBe('×10 BTC');
  all.app.navigation.symbol = 'BTC-USDT-M';
  expect(all.app.ticket.contract?.coins).toMatchObject({ base: 'BTC', quantity: '×10 BTC' });
});

it('1,000 open orders are shown as at least 1,000', async () => {
  const all = await shown();
  const { feed } = all.app.feeds.openOrders;
  const value = Array.from({ length: 1_000 }, (_, index) => openOrder({ orderId: String(index) }));
  all.push('feed', {
    connectionId: 'live-1',
    name: 'openOrders',
    feed: { ...feed, value, serial: feed.serial + 99 },
  });
  await settled();
  expect(screen.getByRole('tab', { name: /Open orders/ }).textContent).toMatch(/1,000\+$/);
  expect(screen.getByText(/At least 1,000 open orders/)).toBeTruthy();
});

it('opens a linked order: its row among the open orders, whatever they are filtered by, or its history', async () => {
  const all = await shown({ 'history.query': () => done({ rows: [], truncated: false, unreadable: [] }) });
  const { feed } = all.app.feeds.openOrders;
  const value = ['101', '102'].map((orderId) => openOrder({ orderId }));
  const name = 'openOrders';
  all.push('feed', { connectionId: 'live-1', name, feed: { ...feed, value, serial: feed.serial + 99 } });
  await settled();
  all.app.navigation.screen = 'positions';
  await fireEvent.input(screen.getByLabelText('Order ID'), { target: { value: '101' } });
  await fireEvent.click(screen.getByRole('tab', { name: 'Journal' }));

  all.app.navigation.go('positions', { symbolId: 'BTC-USDT-M', orderId: '102' });
  await settled();
  const row = document.activeElement?.closest('tr[data-index]');
  expect(row?.textContent).toContain('102');
  expect(table('Open orders').querySelector('.expansion')?.textContent).toContain('102');
  expect(all.app.navigation.link).toBeNull();

  all.app.navigation.go('positions', { symbolId: 'BTC-USDT-M', orderId: '7' });
  await settled();
  expect(screen.getByRole('tab', { name: /Order history/, selected: true })).toBeTruthy();
  expect(all.requests.find((one) => one.name === 'history.query')?.input).toMatchObject({ orderId: '7' });
});

it('opens a linked position: its row has the focus', async () => {
  const all = await shown();
  all.accountIs(account([position({ positionId: '1' }), position({ positionId: '2', side: 'SELL' })]));
  all.app.navigation.screen = 'positions';
  all.app.navigation.go('positions', { symbolId: 'BTC-USDT-M', positionId: '2', side: 'SELL' });
  await settled();
  const row = document.activeElement?.closest('tr[data-index]');
  expect(row?.getAttribute('data-key')).toMatch(/SELL/);
  expect(row?.getAttribute('aria-expanded')).toBe('true');
});

it('opens a linked position once the account is read, as after a switch', async () => {
  const all = await shown({ 'feeds.get': () => done(noFeeds('live-1')) });
  all.app.navigation.screen = 'positions';
  all.app.navigation.go('positions', { symbolId: 'BTC-USDT-M', positionId: '2' });
  await settled();
  all.accountIs(
    account([position({ positionId: '1' }), position({ positionId: '2', symbolId: 'BTC-USD-M' })]),
  );
  await settled();
  expect(document.activeElement?.closest('tr[data-index]')?.getAttribute('data-key')).toMatch(/BTC-USD-M/);
  expect(all.app.navigation.link).toBeNull();
});

it('follows a link to a position that is closed to its order', async () => {
  const all = await shown({ 'history.query': () => done({ rows: [], truncated: false, unreadable: [] }) });
  all.app.navigation.go('positions', { symbolId: 'BTC-USDT-M', positionId: '404', orderId: '7' });
  await settled();
  expect(screen.getByRole('tab', { name: /Order history/, selected: true })).toBeTruthy();
  expect(all.app.navigation.link).toBeNull();
});

describe('order history', () => {
  const search = async (): Promise<void> => {
    await fireEvent.click(screen.getByRole('button', { name: /Search/ }));
    await settled();
  };
  const opened = async (replies: Replies = {}) => {
    const all = await shown(replies);
    await fireEvent.click(screen.getByRole('tab', { name: 'Order history' }));
    return all;
  };

  it('requests exactly the filter that was typed', async () => {
    const { requests } = await opened({
      'history.query': () => done({ rows: [], truncated: false, unreadable: [] }),
    });
    await fireEvent.input(screen.getByLabelText('Order ID'), { target: { value: '9223372036854775808' } });
    await fireEvent.input(screen.getByLabelText(/^Created from/), { target: { value: '2026-11-21 09:14' } });
    await search();
    expect(requests.find(({ name }) => name === 'history.query')?.input).toEqual({
      connectionId: 'live-1',
      symbolId: null,
      orderId: '9223372036854775808',
      startTime: Date.UTC(2026, 10, 21, 9, 14),
      endTime: null,
    });
    expect(screen.getByText('No matching orders')).toBeTruthy();
  });

  it('requests nothing while a field is wrong, and keeps what was typed', async () => {
    const { requests } = await opened();
    const id = screen.getByLabelText<HTMLInputElement>('Order ID');
    await fireEvent.input(id, { target: { value: '12a' } });
    await search();
    expect(screen.getByText('Digits only, at most 20')).toBeTruthy();
    expect(id.value).toBe('12a');
    expect(requests.some(({ name }) => name === 'history.query')).toBe(false);
  });

  it('shows a rejection with what to do, and keeps the previous orders', async () => {
    const failure = {
      kind: 'server',
      message: 'The exchange failed.',
      next: 'Try again in a while.',
    } as const;
    await opened({ 'history.query': () => failed(failure) });
    await fireEvent.input(screen.getByLabelText('Order ID'), { target: { value: '1' } });
    await search();
    expect(screen.getByText('The search failed')).toBeTruthy();
    expect(table('Order history').querySelectorAll('tr[data-index]').length).toBe(1);
  });

  it('shows the records of a reply that could not be read', async () => {
    const one = {
      record: 'order history',
      message: 'data[0].id: expected digits',
      symbolId: null,
      raw: '{}',
    };
    await opened({ 'history.query': () => done({ rows: [], truncated: false, unreadable: [one, one] }) });
    await fireEvent.input(screen.getByLabelText('Order ID'), { target: { value: '1' } });
    await search();
    expect(screen.getByText('2 records of this list cannot be read')).toBeTruthy();
  });

  it('says so when there are more orders than one reply holds', async () => {
    const unreadable = {
      record: 'order history',
      message: 'data[0].id: expected digits',
      symbolId: null,
      raw: '{}',
    };
    await opened({
      'history.query': () =>
        done({ rows: [], truncated: true, unreadable: Array<typeof unreadable>(50).fill(unreadable) }),
    });
    await fireEvent.input(screen.getByLabelText('Order ID'), { target: { value: '1' } });
    await search();
    expect(screen.getByText(/The newest 50 orders, maybe the most the exchange lists at once/)).toBeTruthy();
  });
});

describe('the note of an order', () => {
  const ORDER = '734829105569911041';
  const WRITE = `Write a note on order ${ORDER}`;
  const opened = async (replies: Replies) => {
    const all = await shown(replies);
    await fireEvent.click(screen.getByRole('tab', { name: 'Order history' }));
    await settled();
    return all;
  };
  const field = (): HTMLElement | null => screen.queryByRole('textbox', { name: 'Note of this order' });
  const row = (): HTMLElement => table('Order history').querySelector<HTMLElement>('tr[data-index]')!;

  it('cannot be written before it is known; the reason and a retry are shown', async () => {
    let known = false;
    const { requests } = await opened({
      'trades.notes': () =>
        known ? done([]) : failed({ kind: 'file', message: 'The archive is in use.', next: 'Close it.' }),
      'trades.saveNote': () => done({ orderId: ORDER, text: 'why', tags: [], editedAt: 1 }),
    });
    await fireEvent.keyDown(row(), { key: 'n' });
    await settled();
    expect(screen.getByRole('alert').textContent).toContain('The note could not be read');
    expect(field()).toBeNull();
    known = true;
    await fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await settled();
    expect(document.activeElement).toBe(field());
    await fireEvent.input(field()!, { target: { value: 'why' } });
    await settled();
    expect(requests.findLast(({ name }) => name === 'trades.saveNote')?.input).toEqual({
      ...{ connectionId: 'live-1', orderId: ORDER, text: 'why', tags: [] },
    });
    const button = screen.getByRole('button', { name: `Note of order ${ORDER}` });
    expect(button.title).toBe('why');
    await fireEvent.keyDown(field()!, { key: 'Escape' });
    await settled();
    expect(document.activeElement).toBe(row());
  });

  it('is waited for while it is being read, and its text is no title while amounts are hidden', async () => {
    const reply = Promise.withResolvers<Result<readonly OrderNote[]>>();
    const { app } = await opened({ 'trades.notes': () => reply.promise });
    await fireEvent.click(screen.getByRole('button', { name: WRITE }));
    await settled();
    expect(screen.getByRole('group', { name: 'Reading the note' })).toBeTruthy();
    reply.resolve(done([{ orderId: ORDER, text: '120 USDT', tags: ['Plan', 'A'], editedAt: 1 }]));
    await settled();
    expect(document.activeElement).toBe(field());
    const button = screen.getByRole('button', { name: `Note of order ${ORDER}` });
    expect(button.title).toBe('Plan, A\n120 USDT');
    app.settings.take({ ...app.settings.value, privacy: true });
    await settled();
    expect(button.title).toBe('Plan, A');
    expect(field()).toBeNull();
  });

  it('is a word in the journal where the exchange gave no order id, and opens by N where it did', async () => {
    const { app } = await shown({
      'journal.list': () => done([record({ orderId: null, state: 'rejected', code: '-2010' })]),
      'trades.notes': () => done([]),
    });
    await fireEvent.click(screen.getByRole('tab', { name: 'Journal' }));
    await settled();
    await fireEvent.keyDown(table('Journal').querySelector('tr[data-index]')!, { key: 'N' });
    expect(app.notices.list.at(-1)?.title).toContain('cannot have a note');
    app.intents.receive(record());
    await settled();
    await fireEvent.keyDown(table('Journal').querySelector('tr[data-index]')!, { key: 'N' });
    await settled();
    expect(document.activeElement).toBe(field());
  });
});
