import { render } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { account, position } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import ReviewTable from './ReviewTable.svelte';

it('rounds the total of rows that are margined in a coin like the rows', async () => {
  const { app, push } = await fixture('live');
  const { feed } = app.feeds.account;
  // Gives the contract a mark.
  const held = { quantity: '2400', avgEntryPrice: '60000.0', entryValue: '0.04', markPrice: '97000.0' };
  const value = account([position({ symbolId: 'BTC-USD-M', ...held })]);
  push('feed', {
    connectionId: 'live-1',
    name: 'account',
    feed: { ...feed, serial: feed.serial + 1, value },
  });
  const rows = ['BTC-USD-M,BUY,LIMIT,100,96000.0,GTC', 'BTC-USD-M,BUY,LIMIT,200,95000.0,GTC'];
  app.batch.draft.import('orders.csv', ['symbol,side,type,quantity,price,timeInForce', ...rows].join('\n'));
  flushSync();
  const { container } = render(InApp, { app, component: ReviewTable });
  const textOf = (selector: string): string[] =>
    [...container.querySelectorAll(selector)].map((cell) => cell.textContent.trim());
  expect(textOf('tr[data-row] > :nth-child(7)')).toEqual(['0.00104167', '0.00210526']);
  expect(textOf('tr.group > :nth-child(2)')).toEqual(['0.00314693']);
});
