import { expect, it } from 'vitest';
import { INVERSE, LINEAR, position, SPECS } from '../../../tests/domain/order-samples.ts';
import type { SymbolConfig } from '../../exchange-api/symbol-config.ts';
import type { Position } from '../../exchange-api/account.ts';
import { knownPosition } from '../position/resolved.ts';
import { NO_LIQUIDATION } from './figure.ts';
import { isolatedFigure } from './isolated-figure.ts';

function figure(config: SymbolConfig, changes: Partial<Position>) {
  const held = position({ symbolId: config.symbolId, marginMode: 'ISOLATED', leverage: 1, ...changes });
  const known = knownPosition(held, { contractOf: () => config, specs: () => SPECS, closingFee: true });
  if (typeof known === 'string') throw new Error(known);
  return isolatedFigure(known, 'flat', held.margin ?? '');
}
/** Entries of 200 / 3 and 7,000 / 0.15, which end after no digit. */
const LONG = { quantity: '3', avgEntryPrice: '66.6667', entryValue: '200' };
const SHORT = {
  side: 'SELL',
  quantity: '7000',
  avgEntryPrice: '46666.6667',
  entryValue: '0.15',
};

it('has no liquidation price at 1×, however entry, cost and margin were rounded', () => {
  const none = { value: null, reason: NO_LIQUIDATION };
  for (const margin of ['200', '199.99999999', '199.9999']) {
    expect(figure(LINEAR, { ...LONG, margin })).toEqual(none);
  }
  for (const margin of ['0.15', '0.14999999']) expect(figure(INVERSE, { ...SHORT, margin })).toEqual(none);
  // Small enough that an atom is a ten-thousandth of it.
  const small = { ...SHORT, quantity: '5', avgEntryPrice: '46666.6667', entryValue: '0.00010714' };
  expect(figure(INVERSE, { ...small, margin: '0.00010713' })).toEqual(none);
});

it('keeps the price of a margin that funding has lowered', () => {
  // 3 x (1 − 0.005 − 0.0005) = 0.02, and 7,000 x (1 − 0.0055) = 0.00002 with the price 1/x.
  expect(figure(LINEAR, { ...LONG, margin: '199.98' }).value).toMatch(/^0\.00670353/);
  expect(figure(INVERSE, { ...SHORT, margin: '0.14998' }).value).toMatch(/^348075000/);
});

it('keeps the price of the other sides at 1×, which the value rises towards', () => {
  expect(figure(LINEAR, { ...LONG, side: 'SELL', margin: '200' }).value).toMatch(/^132\.60/);
  expect(figure(INVERSE, { ...SHORT, side: 'BUY', margin: '0.15' }).value).toMatch(/^23461\.6/);
});
