import { describe, expect, it } from 'vitest';
import { awaitsOutcome, nextState, ORDER_EVENTS, ORDER_STATES, OrderLifeError } from './lifecycle.ts';

/** The table from docs/product.md, written out independently of the source. */
const ALLOWED: readonly string[] = [
  'drafted block blocked',
  'drafted record recorded',
  'recorded send sending',
  'recorded abandon not-sent',
  'sending accept accepted',
  'sending reject rejected',
  'sending fail-before-send not-sent',
  'sending lose unknown',
  'sending take unknown',
  'unknown check unknown',
  'unknown land matched',
  'unknown claim matched-by-user',
  'unknown close dismissed',
  'matched disown unknown',
];

describe('the life of an order', () => {
  it('allows only the listed pairs of state and event', () => {
    const found = ORDER_STATES.flatMap((state) =>
      ORDER_EVENTS.flatMap((event) => {
        try {
          return [`${state} ${event} ${nextState(state, event)}`];
        } catch (error) {
          expect(error).toBeInstanceOf(OrderLifeError);
          return [];
        }
      }),
    );
    expect(found.sort()).toEqual(ALLOWED.toSorted());
  });

  it('says which event does not fit which state', () => {
    expect(() => nextState('accepted', 'lose')).toThrow(
      expect.objectContaining({ name: 'OrderLifeError', message: 'an order that is accepted cannot lose' }),
    );
  });

  it('never turns an unknown outcome into a rejection', () => {
    for (const event of ORDER_EVENTS)
      if (ALLOWED.some((one) => one.startsWith(`unknown ${event} `)))
        expect(['unknown', 'matched', 'matched-by-user', 'dismissed']).toContain(nextState('unknown', event));
  });

  it('counts what was sent and not answered as open', () => {
    expect(ORDER_STATES.filter(awaitsOutcome)).toEqual(['sending', 'unknown']);
  });
});
