import { describe, expect, it } from 'vitest';
import { contractTable } from './contract-list.ts';
import { Log } from './log.ts';
import { orderCodec, tradeCodec } from './packed.ts';
import { engineOf, START } from '../../tests/practice/engine-of.ts';

const contracts = contractTable(13, START);

describe('packed rows', () => {
  it('decode to the same orders and trades for a whole past', () => {
    const { account } = engineOf({ history: 400 }).world;
    const orders = orderCodec(contracts);
    const trades = tradeCodec(contracts);
    for (const order of account.orders) {
      if (!orders.isFinal(order)) continue;
      const { numbers, bigs } = orders.pack(order);
      const again = orders.unpack(order.seq - 1, Float64Array.from(numbers), BigInt64Array.from(bigs));
      expect(again).toEqual(order);
    }
    for (const trade of account.trades) {
      const { numbers, bigs } = trades.pack(trade);
      const again = trades.unpack(trade.seq - 1, Float64Array.from(numbers), BigInt64Array.from(bigs));
      expect(again).toEqual(trade);
    }
  });

  it('are packed only when final, and read the same before and after', () => {
    interface Row {
      n: number;
      final: boolean;
    }
    const log = new Log<Row>({
      numbers: 1,
      bigs: 1,
      isFinal: ({ final }) => final,
      pack: ({ n }) => ({ numbers: [n], bigs: [BigInt(n) * 3n] }),
      unpack: (_, numbers, bigs) => ({ n: numbers[0] ?? Number(bigs[0]) / 3, final: true }),
    });
    const open: Row = { n: 17, final: false };
    for (let n = 0; n < 20_000; n += 1) log.push(n === 17 ? open : { n, final: true });
    expect(log.get(17)).toBe(open);
    expect([log.length, log.get(0)?.n, log.at(-1)?.n, log.get(20_000)]).toEqual([
      20_000,
      0,
      19_999,
      undefined,
    ]);
    expect(log.map(({ n }) => n)).toEqual(Array.from({ length: 20_000 }, (_, n) => n));
    const sum = log.filter(({ n }) => n % 5_000 === 0).map(({ n }) => n);
    expect(sum).toEqual([0, 5_000, 10_000, 15_000]);
  });
});
