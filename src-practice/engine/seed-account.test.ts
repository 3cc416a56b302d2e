import { describe, expect, it } from 'vitest';
import { ACCOUNT } from './ledger.ts';
import type { World } from './world.ts';
import { engineOf } from '../../tests/practice/engine-of.ts';

const past = (history: number, seed: number): World => engineOf({ seed, history }).world;

describe("an account's past", () => {
  it.each([
    [120, 7],
    [1_000, 1],
    [20_000, 7],
  ])('of %i trades (seed %i) is spread evenly over its whole time', (history, seed) => {
    const { account } = past(history, seed);
    const times = account.trades.map(({ time }) => time);
    expect(times.length).toBeGreaterThanOrEqual(history);
    expect(times.length).toBeLessThan(history + 30);
    // One order may fill at several prices. Many orders at one moment would mean that the time ran out first.
    const perOrder = new Map<number, Set<number>>();
    for (const { time, orderSeq } of account.trades) {
      perOrder.set(time, (perOrder.get(time) ?? new Set()).add(orderSeq));
    }
    const most = Math.max(...[...perOrder.values()].map(({ size }) => size));
    // All open positions are closed at one moment, before the last ones are opened.
    expect(most).toBeLessThanOrEqual(8);
    const [first = 0, last = 0] = [times[0], times.at(-1)];
    const middle = times[Math.trunc(history / 2)] ?? 0;
    expect(Math.abs((middle - first) / (last - first) - 0.5)).toBeLessThan(0.12);
    expect([...times].sort((a, b) => a - b)).toEqual(times);
  });

  it('adds up: fills to positions, fees of trades to fees of orders', () => {
    const { account, ledger } = past(5_000, 3);
    for (const coin of ['USDT', 'BTC', 'ETH']) {
      const orders = account.orders.filter(({ contract }) => contract.coin === coin);
      const fees = account.trades
        .filter(({ contract }) => contract.coin === coin)
        .reduce((sum, { fee }) => sum + fee, 0n);
      expect(orders.reduce((sum, { fee }) => sum + fee, 0n)).toBe(fees);
    }
    expect(ledger.balance(ACCOUNT, 'USDT')).toBeGreaterThan(0n);
    for (const position of account.positions) {
      const held = account.trades
        .filter(({ contract }) => contract === position.contract)
        .reduce((sum, { side, lots }) => sum + side * lots, 0);
      expect(held).toBe(position.side * position.lots);
    }
  });
});
