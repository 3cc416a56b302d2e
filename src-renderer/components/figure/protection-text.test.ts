import { expect, it } from 'vitest';
import { position } from '../../../tests/domain/positions.ts';
import { protectionText } from './protection-text.ts';

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
    'part warn',
  ]);
});
it('shows a dash for the missing one', () => {
  expect(texts([order('STOP_LOSS', '63000', '0.326')])).toEqual(['— t3', '— t3', '63,000.0', '−3.04% down']);
  expect(texts([])).toEqual(['—']);
});
