import { cleanup, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { account, asset, NOW, position } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import type { AccountInfo, Position } from '../../../src-shared/exchange-api/account.ts';
import type { BatchReview } from '../../../src-shared/ipc/batch.ts';
import { done, type Result } from '../../../src-shared/ipc/failures.ts';
import { shownAs } from '../../text/shown-as.svelte.ts';
import BatchSheet from './BatchSheet.svelte';

/** Opens the sheet with the review of a file's rows. */
async function review(...rows: string[]): Promise<void> {
  await reviewIn(null, ...rows);
}
async function reviewIn(held: Position | AccountInfo | null, ...rows: string[]): Promise<void> {
  await reviewInCalls([rows.map((_, row) => row)], held, rows);
}
async function reviewInCalls(
  sent: readonly (readonly number[])[],
  held: Position | AccountInfo | null,
  rows: readonly string[],
): Promise<void> {
  const call = { method: 'POST', path: '/ftapi/v1/batchOrders', body: '[]' } as const;
  const calls = sent.map((own) => ({ ...call, rows: own }));
  const { app, accountIs } = await fixture('live', {
    'orders.reviewBatch': () =>
      done({ review: { token: 'batch-token', expiresAt: NOW + 120_000, calls, heldBy: [] } }),
  });
  if (held !== null) accountIs('positions' in held ? held : account([held]));
  const head = ['symbol,side,type,quantity,price,timeInForce', 'tpTriggerType,tpPrice,slTriggerType,slPrice'];
  const lines = rows.map((row) => (row.split(',').length > 6 ? row : `${row},,,,`));
  app.batch.draft.import('orders.csv', [head.join(), ...lines].join('\n'));
  render(InApp, { app, component: BatchSheet });
  await app.batch.confirm.ask(sent[0]?.length ?? 1);
  flushSync();
}

it('says once that the figures of market orders leave slippage out', async () => {
  await review(
    'BTC-USDT-M,BUY,LIMIT,0.100,96000.0,GTC',
    'BTC-USDT-M,BUY,MARKET,0.100,,',
    'BTC-USDT-M,BUY,MARKET,0.100,,',
  );
  expect(screen.getAllByTestId('slippage-note')).toHaveLength(1);
});

it('breaks no name of a contract in the line of its contracts', async () => {
  await review('BTC-USDT-M,BUY,LIMIT,0.100,96000.0,GTC');
  expect(screen.getByText('BTC-USDT-M', { selector: 'p > .nowrap' })).toBeTruthy();
});

it('sums up the rows above the exact request: orders, sizes, prices, fees, and what rests', async () => {
  await review(
    'BTC-USDT-M,BUY,LIMIT,0.100,96000.0,GTC',
    'BTC-USDT-M,BUY,LIMIT,0.250,95000.0,GTC',
    'BTC-USDT-M,SELL,LIMIT,0.100,98000.0,GTC',
    'BTC-USDT-M,SELL,LIMIT,0.100,99000.0,IOC',
  );
  const text = screen.getByTestId('batch-sheet').textContent.replaceAll(/\s+/g, ' ');
  expect(text).toContain('Buy BTC-USDT-M 2 orders · 0.35 BTC');
  expect(text).toContain('95,000.0 – 96,000.0 −2.06% to −1.03% from mark');
  expect(text).toContain('Sell BTC-USDT-M 2 orders · 0.2 BTC');
  expect(text).toContain('98,000.0 – 99,000.0 +1.03% to +2.06% from mark');
  expect(text).toMatch(/Fee maker \/ taker ≈ ?[\d.]+ \/ ≈ ?[\d.]+/);
  // The contract after the orders that fill together when prices fall, as the review of a single order has it.
  expect(text).toContain(
    'If prices fall, valued at mark, the worse side, without the resting ordersSymbolPositionLiquidationDistance',
  );
  expect(text).toContain('Long 2.000 → Long 2.350 BTC60,000.0 → ≈ 52,786.8≈ −45.58%');
  expect(text).toMatch(/Gross exposure ?≈ [\d.]+× → ≈ [\d.]+×/);
  expect(text).toContain('3 of 4 rest until filled. Ballast cannot cancel them');
  expect(screen.queryByTestId('slippage-note')).toBeNull();
  expect(text.indexOf('rest until filled')).toBeLessThan(text.indexOf('Exact request'));
});

it('names the TP/SL triggers of the rows, their range and of how many where not of all', async () => {
  await review(
    'BTC-USDT-M,BUY,LIMIT,0.100,96000.0,GTC,MARK_PRICE,99000.0,MARK_PRICE,90000.0',
    'BTC-USDT-M,BUY,LIMIT,0.100,95000.0,GTC,MARK_PRICE,99000.0,MARK_PRICE,91000.0',
    'BTC-USDT-M,BUY,LIMIT,0.100,94000.0,GTC,MARK_PRICE,99000.0,,',
    'BTC-USDT-M,SELL,LIMIT,0.100,99000.0,GTC',
  );
  const text = screen.getByTestId('batch-sheet').textContent.replaceAll(/\s+/g, ' ');
  expect(text.match(/TP\/SL triggers/g)).toHaveLength(1);
  expect(text).toContain('TP/SL triggers TP 99,000.0, SL 90,000.0 – 91,000.0 of 2 orders');
});

it('requires a tick for a position that the rows leave near liquidation, as the review of an order does', async () => {
  const near = position({ marginMode: 'ISOLATED', margin: '3000', liquidPrice: '94000' });
  await reviewIn(near, 'BTC-USDT-M,BUY,LIMIT,0.100,96000.0,GTC');
  const cell = screen.getByRole('row', { name: /^BTC-USDT-M/ }).lastElementChild;
  expect(cell?.textContent.trim()).toMatch(/^≈\s−[34]\.\d\d%$/);
  expect(cell?.className).toContain('danger');
  expect(
    screen.getByRole('checkbox', {
      name: /^I accept liquidation of BTC-USDT-M ≈ [34]\.\d\d% from the mark$/,
    }),
  ).toBeTruthy();
  cleanup();
  // Also if prices go the other way than the figures shown, which are the worse ones of the coin.
  await reviewIn(near, 'BTC-USDT-M,BUY,LIMIT,0.100,96000.0,GTC', 'BTC-USDT-M,SELL,LIMIT,5.000,98000.0,GTC');
  expect(document.body.textContent).toMatch(/If prices rise.*\+4\.98%/s);
  expect(
    screen.getByRole('checkbox', { name: /^I accept liquidation of BTC-USDT-M ≈ 3\.18% from the mark$/ }),
  ).toBeTruthy();
  cleanup();
  await reviewIn(near, 'BTC-USDT-M,SELL,LIMIT,0.100,98000.0,GTC');
  expect(screen.queryByText(/I accept/)).toBeNull();
});

it('requires a tick for the margin ratio of an isolated position that the rows enlarge', async () => {
  const high = position({ marginMode: 'ISOLATED', margin: '3000', profitUnreal: '-1500' });
  await reviewIn(high, 'BTC-USDT-M,BUY,LIMIT,0.001,97000.0,GTC');
  const tick = /^I accept a margin ratio of ≈ 70\.9% for BTC-USDT-M; liquidation is at 100%$/;
  expect(screen.getByRole('checkbox', { name: tick })).toBeTruthy();
  cleanup();
  await reviewIn(high, 'BTC-USDT-M,SELL,LIMIT,0.100,97000.0,GTC');
  expect(screen.queryByText(/I accept a margin ratio/)).toBeNull();
  cleanup();
  await reviewIn({ ...high, marginMode: 'CROSSED' }, 'BTC-USDT-M,BUY,LIMIT,0.001,97000.0,GTC');
  expect(screen.queryByText(/I accept a margin ratio/)).toBeNull();
});

it('shows every digit of the free margin now, which a table would cut', async () => {
  const money = { balance: '98700.51092877', isolatedMargin: '0', locked: '0', crossProfitUnreal: '0' };
  shownAs.quoteCoins = new Set(['USDT']);
  await reviewIn(account([], [asset(money)]), 'BTC-USDT-M,BUY,LIMIT,0.100,96000.0,GTC');
  const free = screen.getByText('Free margin now').nextElementSibling;
  expect(free?.querySelector('.cut')).toBeNull();
  expect(free?.textContent.trim()).toBe('98,700.51092877');
});

it('groups the digits of what it warns of and asks to accept', async () => {
  const money = { balance: '5000', equities: '1', isolatedMargin: '0', locked: '0', crossProfitUnreal: '0' };
  const row = 'BTC-USDT-M,BUY,LIMIT,1.000,96000.0,GTC';
  await reviewIn(account([], [asset(money)]), row, row);
  expect(screen.getByText(/Check the size/).textContent).toContain('192,000.0× your USDT equity');
  expect(screen.getByText(/does not cover/).textContent).toMatch(/≈ \d,\d{3}\.\d\d USDT short/);
});

it('says in the decimals of the coin what the balance is short of', async () => {
  const money = {
    balance: '0.0005',
    equities: '0.0005',
    isolatedMargin: '0',
    locked: '0',
    crossProfitUnreal: '0',
  };
  const row = 'BTC-USD-M,BUY,LIMIT,900,96000.0,GTC';
  const held = position({
    symbolId: 'BTC-USD-M',
    quantity: '1',
    margin: '0',
    maintainMargin: '0',
    marginMode: 'ISOLATED',
  });
  await reviewIn(account([held], [asset({ ...money, coin: 'BTC' })]), row, row);
  expect(screen.getByText(/does not cover/).textContent).toMatch(/≈ 0\.000\d{5} BTC short/);
});

it('says in how many requests the orders are sent, and which each has', async () => {
  const row = 'BTC-USDT-M,BUY,LIMIT,0.100,96000.0,GTC';
  const shown = (): string => screen.getByTestId('batch-sheet').textContent.replaceAll(/\s+/g, ' ');
  await reviewInCalls([[0, 1], [2]], null, [row, row, row]);
  expect(shown()).toContain(
    'BTC-USDT-M · 2 requests, up to 2 orders each, one after another · a rejection or a lost reply stops the rest',
  );
  expect(screen.getByText('Exact request 1 of 2: orders 1–2')).toBeTruthy();
  expect(screen.getByText('Exact request 2 of 2: order 3')).toBeTruthy();
  cleanup();
  await reviewInCalls([[0], [1]], null, [row, row]);
  expect(shown()).toContain('2 requests, one order each, one after another');
  cleanup();
  // Nothing follows that a rejection could stop.
  await reviewInCalls([[0, 1, 2]], null, [row, row, row]);
  expect(shown()).toMatch(/BTC-USDT-M · one request with all 3 orders (?!·)/);
});

it('does not open on return to Batch by a review that arrives while another screen is shown', async () => {
  const reply = Promise.withResolvers<Result<{ review: BatchReview }>>();
  const { app } = await fixture('live', { 'orders.reviewBatch': () => reply.promise });
  const head = 'symbol,side,type,quantity,price,timeInForce';
  app.batch.draft.import('orders.csv', `${head}\nBTC-USDT-M,BUY,LIMIT,0.100,96000.0,GTC`);
  const { unmount } = render(InApp, { app, component: BatchSheet });
  const late = app.batch.confirm.ask(1);
  unmount();
  reply.resolve(done({ review: { token: 'late', expiresAt: NOW + 120_000, calls: [], heldBy: [] } }));
  await late;
  expect([app.batch.confirm.shown, app.batch.confirm.isRequesting]).toEqual([false, false]);
});
