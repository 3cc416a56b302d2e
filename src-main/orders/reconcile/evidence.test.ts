import { describe, expect, it } from 'vitest';
import type { Position } from '../../../src-shared/exchange-api/account.ts';
import type { SeenOrder } from '../../../src-shared/domain/reconcile/listed-orders.ts';
import { tradeNumber } from '../../../tests/archive/trade-number.ts';
import { position } from '../../../tests/domain/order-samples.ts';
import { positionEvidence, positionText, tradeEvidence, type EvidencePorts } from './evidence.ts';

const order = (orderId: string, tradeQuantity: string | null = '0.5') =>
  ({ orderId, tradeQuantity }) as SeenOrder;

/** Trades by order: quantities, or null where the read fails. */
async function evidenceOf(
  orders: readonly SeenOrder[],
  trades: Record<string, (string | null)[] | null> = {},
  onOtherPages = 0,
) {
  const asked: string[] = [];
  const ports: EvidencePorts = {
    limiter: { read: (request) => request() },
    client: {
      trades: ({ orderId = '' }) => {
        asked.push(orderId);
        const own = trades[orderId];
        if (own === null)
          return Promise.resolve({ ok: false, failure: { kind: 'server', message: 'down', next: 'wait' } });
        const data = (own ?? []).map((executedQty, index) => tradeNumber(index, { executedQty }));
        return Promise.resolve({
          ok: true,
          data: { data, pageCount: 1, total: data.length + onOtherPages },
          meta: { listed: data.length },
        });
      },
    },
  };
  return { lines: await tradeEvidence(ports, orders), asked };
}

describe('trades of a candidate', () => {
  it('are summed exactly beside what the order says', async () => {
    const { lines } = await evidenceOf([order('7'), order('8'), order('9')], {
      '7': ['0.1', '0.2'],
      '8': null,
      '9': ['0.1', null],
    });
    expect(lines).toEqual([
      'Trades of order 7: 2, total 0.3; filled per order: 0.5',
      'Trades of order 8 could not be read; filled per order: 0.5',
      'Trades of order 9: 2, total 0.1 without 1 that cannot be read; filled per order: 0.5',
    ]);
    expect((await evidenceOf([order('7')])).lines).toEqual([
      'Trades of order 7: none; filled per order: 0.5',
    ]);
  });

  it('are not said to be all where the exchange has more of them on other pages', async () => {
    const { lines } = await evidenceOf([order('7'), order('8')], { '7': ['0.1', '0.2'] }, 1);
    expect(lines).toEqual([
      'Trades of order 7: 2 on the only page read, total 0.3; filled per order: 0.5',
      'Trades of order 8: none on the only page read; filled per order: 0.5',
    ]);
  });

  it('are read of three at most, and of none that was not filled', async () => {
    const orders = [order('1', '0'), order('2', null), order('3'), order('4')];
    expect((await evidenceOf(orders)).asked).toEqual(['3']);
  });
});

it('the position is compared only where both are known', () => {
  expect(positionEvidence('long 1', 'long 1')).toBe('Position unchanged: long 1');
  expect(positionEvidence('long 1', 'long 2')).toBe('Position changed from long 1 to long 2');
  for (const [before, now] of [
    [undefined, 'long 1'],
    [null, 'long 1'],
    ['long 1', null],
  ] as const)
    expect(positionEvidence(before, now)).toBeNull();
});

describe('the text of a symbol’s positions', () => {
  const text = (...listed: readonly Partial<Position>[]): string | null => positionText(listed.map(position));
  it('has sides and quantities as received, and is flat without any', () => {
    expect(text({}, { side: 'SELL', quantity: '0.50' })).toBe('long 2.000, short 0.50');
    expect([positionText([]), text({ quantity: '0.000' })]).toEqual(['flat', 'flat']);
  });
  it('is null where a side or a quantity is unknown', () => {
    expect([text({ quantity: null }), text({ side: 'BOTH' })]).toEqual([null, null]);
  });
});
