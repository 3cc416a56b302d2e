import { expect, it } from 'vitest';
import { position } from '../../../tests/domain/positions.ts';
import { coverPercent, protectionText } from './protection-text.ts';

const order = (kind: string, triggerPrice: string, quantity: string) => ({ kind, triggerPrice, quantity });
const cell = (tpSlOrders: readonly unknown[]) =>
  protectionText(
    position({
      side: 'BUY',
      quantity: '0.326',
      markPrice: '64973.0',
      tpSl: null,
      tpSlSize: 0,
      tpSlOrders: [...tpSlOrders],
    }),
  );
const texts = (orders: readonly unknown[]) =>
  cell(orders).pieces.map((piece) =>
    typeof piece === 'string' ? piece : `${piece.text} ${piece.className}`.trim(),
  );

it('stacks take profit over stop loss, each with its distance from the mark', () => {
  expect(texts([order('TAKE_PROFIT', '72000', '0.326'), order('STOP_LOSS', '63000', '0.326')])).toEqual([
    '72,000.0',
    '+10.82% up',
    '63,000.0',
    '−3.04% down',
  ]);
});
it('says how much is covered if it is not all of the position', () => {
  expect(texts([order('TAKE_PROFIT', '72000', '0.5'), order('STOP_LOSS', '63000', '0.1')])).toEqual([
    '72,000.0',
    'too large warn',
    '63,000.0',
    'for 30% warn',
  ]);
});
it('says how much several orders cover together, never rounded up to all of it', () => {
  const two = (first: string, second: string) => [
    order('STOP_LOSS', '63000', first),
    order('STOP_LOSS', '62000', second),
  ];
  expect(texts(two('0.1', '0.225')).slice(2)).toEqual(['63,000.0', '99% in 2 warn']);
  expect(texts(two('0.1', '0.226')).slice(2)).toEqual(['63,000.0', 'all in 2 t2']);
  expect(texts([order('STOP_LOSS', '63000', '0.001')]).at(-1)).toBe('for <1% warn');
  expect(cell(two('0.1', '0.2')).title).toContain('stop loss at 63,000 for 0.1, at 62,000 for 0.2 of 0.326');
});
it('adds up quantities of 40 digits', () => {
  const most = '9'.repeat(40);
  const orders = [order('STOP_LOSS', '63000', most), order('STOP_LOSS', '62000', most)];
  expect(texts(orders).at(-1)).toBe('too large warn');
  const tiny = `0.${'0'.repeat(39)}1`;
  expect(coverPercent('1'.repeat(41), tiny)).toMatch(/^1{41}0{42}%$/);
});
it('shows a dash for the missing one', () => {
  expect(texts([order('STOP_LOSS', '63000', '0.326')])).toEqual(['— t3', '— t3', '63,000.0', '−3.04% down']);
  expect(texts([])).toEqual(['—']);
});
