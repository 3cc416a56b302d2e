import { expect, it } from 'vitest';
import { account, position } from '../../tests/domain/order-samples.ts';
import { fixture } from '../../tests/renderer/app-fixture.ts';
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
    const before = app.navigation.ticketEntries;
    found[0]?.item.run();
    expect([app.navigation.ticketShown, app.navigation.ticketEntries]).toEqual([true, before + 1]);
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
