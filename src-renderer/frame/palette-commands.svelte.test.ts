import { expect, it } from 'vitest';
import { account, openOrder, position } from '../../tests/domain/order-samples.ts';
import { fixture } from '../../tests/renderer/app-fixture.ts';
import { feed } from '../../tests/renderer/fake-bridge.ts';
import { frameCommands } from './palette-commands.ts';
import { search } from './palette-search.ts';
import { SCREENS } from '../screens.ts';

it('leads to the ticket by buy and sell, with what is typed in it, and does not hide it for them', async () => {
  const { app } = await fixture();
  app.navigation.symbol = 'BTC-USDT-M';
  app.ticket.fields.size = '0.100';
  for (const query of ['buy', 'sell']) {
    const found = search(
      query,
      frameCommands(app, [], () => undefined),
    );
    expect(found[0]?.item.title, query).toBe('Go to the ticket');
    expect(found.map(({ item }) => item.title)).not.toContain('Hide the ticket');
    app.navigation.entersTicket = false;
    found[0]?.item.run();
    expect([app.navigation.ticketShown, app.navigation.entersTicket]).toEqual([true, true]);
    expect(app.ticket.fields.size).toBe('0.100');
  }
});

it.each([
  ['calendar', 'PnL calendar'],
  ['statistics', 'Statistics'],
  ['round trips', 'Round trips'],
  ['import', 'Batch from a file'],
  ['trades', 'Trades'],
  ['batch', 'Batch'],
  ['cancel', 'Open orders'],
  ['flat', 'Close all positions…'],
])('finds by %s what has it: %s', async (query, title) => {
  const { app } = await fixture();
  const found = search(
    query,
    frameCommands(app, SCREENS, () => undefined),
  );
  expect(found[0]?.item.title).toBe(title);
});

it('names a position by its side, and one of an unknown side as the exchange does', async () => {
  const { app, accountIs } = await fixture('live');
  accountIs(account([position({ side: 'SELL' }), position({ side: 'BOTH' })]));
  const titles = frameCommands(app, [], () => undefined).map(({ title }) => title);
  expect(titles).toEqual(expect.arrayContaining(['BTC-USDT-M short', 'BTC-USDT-M BOTH']));
});

it('prefers a contract with a position or an order to one with a shorter name', async () => {
  const { app, accountIs, push } = await fixture('live');
  const contracts = (query: string): string[] =>
    search(
      query,
      frameCommands(app, [], () => undefined),
    )
      .filter(({ item }) => item.id.startsWith('contract:'))
      .map(({ item }) => item.title);
  const orders = (symbolId: string): void =>
    push('feed', { connectionId: 'live-1', name: 'openOrders', feed: feed([openOrder({ symbolId })], 2) });
  accountIs(account([position({ symbolId: 'BTC-USDT-M' })]));
  expect(contracts('btc')).toEqual(['BTC-USDT-M', 'BTC-USD-M']);
  accountIs(account([]));
  orders('ETH-USDT-M');
  expect(contracts('btc')).toEqual(['BTC-USD-M', 'BTC-USDT-M']);
  orders('BTC-USDT-M');
  expect(contracts('btc')).toEqual(['BTC-USDT-M', 'BTC-USD-M']);
  // One that matches better still comes first.
  expect(contracts('btcusdm')[0]).toBe('BTC-USD-M');
});

it('offers to close each position once, and shows keys of a row where rows can be', async () => {
  const { app, accountIs } = await fixture('live');
  app.navigation.symbol = 'BTC-USDT-M';
  accountIs(account([position({ symbolId: 'BTC-USDT-M' }), position({ symbolId: 'ETH-USDT-M' })]));
  const commands = () => frameCommands(app, [], () => undefined);
  const whole = commands().filter(({ title }) => /Close 100%|^Close (BTC|ETH)/.test(title));
  expect(whole.map(({ title }) => title.slice(0, 16))).toEqual(['BTC-USDT-M long:', 'Close ETH-USDT-M']);
  expect(whole[0]).not.toHaveProperty('keys');
  app.navigation.go('positions');
  expect(commands().find(({ title }) => title.endsWith('Close 100%'))).toHaveProperty('keys', 'C');
});

it.each([
  ['trades', 'Export trades as CSV…', 'Ctrl E'],
  ['batch', 'Review the batch', 'F9'],
])('lists first what %s is for, once, with its key', async (screen, title, keys) => {
  const { app } = await fixture();
  const titles = (): string[] => frameCommands(app, [], () => undefined).map((one) => one.title);
  expect(titles()[0]).not.toBe(title);
  app.navigation.go(screen);
  expect(frameCommands(app, [], () => undefined)[0]).toMatchObject({ title, keys });
  expect(titles().filter((one) => one === title)).toHaveLength(1);
});
