import { describe, expect, it } from 'vitest';
import { knownPosition } from './known-position.ts';
import { stopFigures, stopsOf } from './position-stops.ts';
import { FACTS, LINEAR, position } from '../../tests/domain/order-samples.ts';

const held = (tpSl: string | null, side = 'BUY') => position({ tpSl, side });
const figures = (tpSl: string, side?: string) => {
  const one = held(tpSl, side);
  const known = knownPosition(one, { contractOf: () => LINEAR, facts: () => FACTS });
  if (typeof known === 'string') throw new Error(known);
  return stopFigures(known);
};

describe('the stops of a position', () => {
  it('are read from the fields an open order has, execution price first', () => {
    expect(
      stopsOf(held('{"tpPrice":"99000","slPrice":"95000","slExecutePrice":"94900","tpExecutePrice":null}')),
    ).toEqual({
      takeProfit: '99000',
      stop: '94900',
    });
    for (const text of [
      null,
      '',
      'NONE',
      '{',
      '[]',
      '{}',
      '{"slPrice":0.1}',
      '{"slPrice":"0"}',
      '{"slPrice":"1e5"}',
    ])
      expect(stopsOf(held(text)), String(text)).toBeNull();
  });

  it('weigh reward and risk from the mark, with the fee of the exit', () => {
    // 2 at 97,000: + 4000 − 99, and − 4000 − 95.
    expect(figures('{"tpPrice":"99000","slPrice":"95000"}')).toMatchObject({
      reward: '3901',
      risk: '-4095',
      ratio: '0.95',
    });
    expect(figures('{"tpPrice":"95000","slPrice":"99000"}', 'SELL')).toMatchObject({
      reward: '3905',
      risk: '-4099',
    });
    // A stop in profit risks nothing from the entry on, but still something from the mark.
    expect(figures('{"slPrice":"96500"}')).toMatchObject({ reward: null, ratio: null });
  });
});
