import { afterEach, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../src-shared/ipc/default-settings.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { shownAs } from '../../text/shown-as.svelte.ts';
import { TradeScales } from '../../state/trades/column-precision.ts';
import { headOf } from './trade-columns.ts';
import { titleOf, tradeLines } from './trade-line.ts';

const trade = {
  tradeId: '734829105569914881',
  orderId: '734829105569914880',
  tradeTime: Date.UTC(2026, 10, 21, 8, 30, 1, 250),
  symbol: 'BTC-USDT-M',
  price: '97250.1',
  executedQty: '0.850',
} as Trade;

afterEach(() => (shownAs.value = DEFAULT_SETTINGS));

it('puts the full text into the title where a cell may cut or round it', () => {
  expect(titleOf('tradeTime', trade, 'UTC')).toBe(`2026-11-21 08:30:01.250 UTC · ${trade.tradeTime}`);
  expect(titleOf('symbol', trade, 'UTC')).toBe('BTC-USDT-M');
  expect(titleOf('executedQty', trade, 'UTC')).toBe('0.850');
  expect(titleOf('orderId', trade, 'UTC')).toBe('734829105569914880: copy order ID');
  expect(titleOf('side', trade, 'UTC')).toBe('');
  expect(titleOf('offset', trade, 'UTC')).toContain('does not say what its values mean');
  expect(headOf('offset', 'UTC').title).toBe(titleOf('offset', trade, 'UTC'));
});

it('contains no amount while amounts are hidden', () => {
  shownAs.value = { ...DEFAULT_SETTINGS, privacy: true };
  expect(titleOf('executedQty', trade, 'UTC')).toBe('');
  expect(titleOf('price', trade, 'UTC')).toBe('97250.1');
});

it('cuts the fee to its coin’s decimals, and only the fee', () => {
  const one = {
    ...trade,
    fee: '0.123456789012345678',
    feeAsset: 'BTC',
    executedQuoteQty: '1.2345678',
  } as Trade;
  const scales = new TradeScales();
  scales.learn([one]);
  const line = tradeLines({
    scales,
    zone: 'UTC',
    mark: ',',
    cutOf: () => ({ least: 0, most: 6 }),
    hidden: false,
    closeOf: () => null,
  })(one);
  expect([line.fee.rest, line.fee.cut]).toEqual(['0.123456', '789012345678']);
  expect([line.executedQuoteQty.rest, line.executedQuoteQty.cut]).toEqual(['1.2345678', '']);
});
