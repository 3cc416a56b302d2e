import { describe, expect, it } from 'vitest';
import { contractTable } from './contract-list.ts';
import { printPrice } from './contracts.ts';
import type { Engine } from './engine.ts';
import { signedCost } from './holding.ts';
import { BOTS } from './ledger.ts';
import type { OrderRequest } from './request.ts';
import { marketOrder, engineOf, START } from '../../tests/practice/engine-of.ts';

const EXPIRY = Date.UTC(2026, 11, 25, 8);
const DAY = 86_400_000;
type Row = Record<string, unknown>;

const order = (symbolId: string, quantity: string, rest: Partial<OrderRequest> = {}): OrderRequest =>
  marketOrder(symbolId, 'SELL', quantity, rest);

const exchange = (): Engine => engineOf({ seed: 8 });

describe('delivery contracts', () => {
  it('are the next two quarters, whenever the exchange opens', () => {
    const names = (start: number): string[] =>
      contractTable(13, start)
        .filter(({ contractType }) => contractType === 'DELIVERY')
        .map(({ symbolId }) => symbolId);
    expect(names(START)).toEqual(['BTC1225-USDT-M', 'ETH0326-USD-M']);
    expect(names(EXPIRY)).toEqual(['BTC0326-USDT-M', 'ETH0625-USD-M']);
  });

  it('trade above their coin by what is left of their time', () => {
    const { world } = exchange();
    const later = world.bySymbol.get('BTC1225-USDT-M');
    const now = world.bySymbol.get('BTC-USDT-M');
    expect((later?.mark ?? 0) - (now?.mark ?? 0)).toBe(later?.basis);
    const share = (later?.basis ?? 0) / (now?.index ?? 1);
    expect(share).toBeCloseTo((0.04 * (EXPIRY - START)) / (365 * DAY), 4);
  });

  for (const symbolId of ['BTC1225-USDT-M', 'ETH0326-USD-M']) {
    it(`${symbolId} settles at the index when it expires, and money is conserved`, () => {
      const engine = exchange();
      const { world } = engine;
      const market = world.bySymbol.get(symbolId);
      if (!market) throw new Error('no such contract');
      const { contract, book } = market;
      expect(
        engine.placeOrder(START, order(symbolId, contract.lot === '10' ? '300' : '0.030')),
      ).toMatchObject({
        ok: true,
      });
      const away = printPrice(contract, Math.trunc(market.mark * 1.15));
      const resting = order(symbolId, contract.lot, { type: 'LIMIT', price: away });
      expect(engine.placeOrder(START, resting)).toMatchObject({ ok: true });
      const expiry = contract.expiry ?? 0;
      engine.advanceTo(expiry - 1);
      expect(market.trading).toBe(true);
      engine.advanceTo(expiry);
      expect([market.trading, book.best(1), book.best(-1)]).toEqual([false, null, null]);
      const history = JSON.parse(engine.orderHistory(engine.now, { symbolId, limit: 10 })) as Row[];
      const settled = history.at(-1);
      expect(history.some((each) => each['cancelReason'] === 2)).toBe(true);
      expect(settled).toMatchObject({ source: 2, side: 'BUY', status: 'FILLED', orderTime: expiry });
      expect(settled?.['avgPrice']).toBe(String(Number(printPrice(contract, market.index))));
      expect(world.account.positions.some((held) => held.contract === contract)).toBe(false);
      for (const bot of BOTS) expect(market.holdings[bot].lots).toBe(0);
      engine.catchUp('all');
      const costs = world.markets.flatMap((each) => [
        ...BOTS.map((bot) => [each.contract, each.holdings[bot]] as const),
        ...world.account.positions
          .filter((held) => held.contract === each.contract)
          .map((held) => [each.contract, held] as const),
      ]);
      const open = costs
        .filter(([each, { lots }]) => each.coin === contract.coin && lots > 0)
        .reduce((sum, [each, held]) => sum + signedCost(each, held), 0n);
      expect(world.ledger.total(contract.coin) - open).toBe(world.ledger.paidIn(contract.coin));
      expect(engine.placeOrder(engine.now, resting)).toMatchObject({ ok: false, code: '700041' });
      const frozen = market.mark;
      engine.advanceTo(expiry + DAY);
      expect(market.mark).toBe(frozen);
    });
  }
});
