import { describe, expect, it } from 'vitest';
import { calculated, compare, printFixed } from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import { isolatedLiquidation } from '../margin/liquidation.ts';
import { leverageUnknown, type OrderContext } from '../instrument/trading-context.ts';
import { higherTier, previewOrder } from './preview.ts';
import {
  account,
  asset,
  context,
  SPECS,
  flat,
  INVERSE,
  LIMIT,
  LINEAR,
  openOrder,
  position,
  TIERS,
} from '../../../tests/domain/order-samples.ts';

const order = (changes: Partial<OrderRequest> = {}): OrderRequest => ({
  ...LIMIT,
  ...changes,
});
/** Previews the order as if it filled completely at its own price. */
function preview(changes: Partial<OrderRequest>, where: OrderContext = context()) {
  const result = previewOrder(order(changes), where, 'limit');
  if (!result.ok) throw new Error(result.reason);
  return result.preview;
}
const to = (digits: number, text: string | null | undefined) =>
  text === null || text === undefined ? null : printFixed(calculated(text), digits);

describe('costs', () => {
  it('values at the order price: notional, margin at the position’s leverage, both fees', () => {
    const p = preview({});
    expect(p).toMatchObject({ notional: '82662.5', initialMargin: '4133.125', priceFrom: 'order price' });
    expect(p.feeMaker.value).toBe('16.5325');
    expect(p.feeTaker.value).toBe('41.33125');
    expect(p.contract).toMatchObject({ leverage: '20', leverageFrom: 'position', isolated: false });
    expect([p.realised, p.equity]).toEqual([null, { value: '104000.00' }]);
  });

  it('values a crossing limit at the price it fills near, not at its own', () => {
    const close = order({ side: 'SELL', quantity: '1', price: '94000', reduceOnly: true });
    const filled = previewOrder(close, context());
    expect(filled.ok && filled.preview).toMatchObject({
      price: '97000.0',
      priceFrom: 'mark',
      realised: '2000',
      crossing: { state: 'crosses' },
    });
    const resting = previewOrder({ ...close, postOnly: true }, context());
    expect(resting.ok && resting.preview).toMatchObject({ price: '94000', realised: '-1000' });
  });

  it('uses the reference price for a market order, and names its source', () => {
    const { price, ...market } = order({ type: 'MARKET' });
    expect(price).toBe('97250.0');
    const result = previewOrder(market, context());
    expect(result.ok && result.preview).toMatchObject({ price: '97000.0', priceFrom: 'mark' });
    expect(previewOrder(market, context({ references: [] }))).toEqual({
      ok: false,
      reason: 'No price is known. Enter a reference price.',
    });
  });

  it('uses the contract’s default leverage without a record of the symbol, and marks it', () => {
    const p = preview({}, flat());
    expect(p.contract).toMatchObject({ leverage: '20', leverageFrom: 'contract default', hedge: null });
    expect(leverageUnknown(p.contract)).toBe('yours is unknown without a position');
    for (const leverage of [null, 0]) {
      const unread = context({ account: account([position({ leverage })]) });
      expect(preview({}, unread).contract).toMatchObject({
        leverage: '20',
        leverageFrom: 'contract default',
      });
      expect(leverageUnknown(preview({}, unread).contract)).toBe('yours could not be read');
      const openOrders = [openOrder({ leverage }), openOrder({ leverage: 7 })];
      const { contract } = preview({}, { ...unread, openOrders });
      expect(contract).toMatchObject({ leverage: '7', leverageFrom: 'open order' });
    }
  });

  it('has no fee until a rate was seen, and does not guess', () => {
    const where = context({ specs: () => ({ ...SPECS, feeRateMaker: null, feeRateTaker: null }) });
    expect(preview({}, where).feeTaker).toEqual({
      value: null,
      reason: 'No fee rate seen yet: the order history has none for this contract.',
    });
  });

  it('applies the multiplier of a contract that is not one coin', () => {
    const where = flat({ specs: () => ({ ...SPECS, multiplier: '0.001' }) });
    expect(preview({ quantity: '850' }, where)).toMatchObject({
      notional: '82662.5',
      initialMargin: '4133.125',
    });
  });
});

describe('the position after', () => {
  it('adds at the average entry', () => {
    const { effect, before, after } = preview({});
    expect(effect).toMatchObject({ closed: '0', opened: '0.850' });
    expect(before?.leg.quantity).toBe('2.000');
    expect(after?.leg.quantity).toBe('2.85');
    expect(to(4, after?.leg.entryPrice)).toBe('95671.0526'); // (2 × 95000 + 0.85 × 97250) / 2.85
    // A new one has the quantity as typed.
    expect(preview({}, flat()).after?.leg.quantity).toBe('0.850');
  });

  it('closes first, then opens the excess on the other side in one-way mode', () => {
    expect(preview({ side: 'SELL' })).toMatchObject({
      effect: { closed: '0.85', opened: '0' },
      realised: '1912.5', // 0.85 × (97250 − 95000)
    });
    const over = preview({ side: 'SELL', quantity: '3' });
    expect(over.effect).toMatchObject({ closed: '2', opened: '1' });
    expect(over.after?.leg).toEqual({ side: 'SELL', quantity: '1', entryPrice: '97250.0' });
    expect(over.initialMargin).toBe('4862.5');
  });

  it('never opens the other side when reduce-only', () => {
    const p = preview({ side: 'SELL', quantity: '3', reduceOnly: true });
    expect(p).toMatchObject({ after: null, initialMargin: '0', effect: { closed: '2', opened: '0' } });
    expect(p.liquidation.after).toEqual({ value: null, reason: 'Closed' });
  });

  it('opens a leg of its own in hedge mode, and closes one only with reduce-only', () => {
    const hedge = context({ account: account([position({ positionMode: 'HEDGE' })]) });
    expect(preview({ side: 'SELL' }, hedge).effect).toMatchObject({
      before: null,
      closed: '0',
      opened: '0.850',
    });
    const reduce = preview({ side: 'SELL', reduceOnly: true }, hedge);
    expect(reduce.effect).toMatchObject({ closed: '0.85', opened: '0' });
  });

  it('reverses by the connection’s meaning of quantity', () => {
    const reverse = { side: 'SELL', reverseOrder: true, quantity: '3' } as const;
    expect(preview(reverse, context({ reverseQuantity: 'new-position' })).effect).toMatchObject({
      closed: '2',
      opened: '3',
    });
    expect(preview(reverse, context({ reverseQuantity: 'sum' })).effect).toMatchObject({
      closed: '2',
      opened: '1',
    });
    // No other order has that meaning.
    const sell = { side: 'SELL', quantity: '3' } as const;
    for (const reverseQuantity of ['new-position', 'sum', 'unset'] as const)
      expect(preview(sell, context({ reverseQuantity })).effect).toMatchObject({ closed: '2', opened: '1' });
  });

  it('needs nothing of the other leg of a hedge, which may be unread', () => {
    const leg = { positionMode: 'HEDGE' } as const;
    const unread = position({ ...leg, side: 'SELL', avgEntryPrice: null, positionId: '2' });
    const where = context({ account: account([position(leg), unread]) });
    for (const [changes, quantity] of [
      [{ side: 'BUY' }, '2.85'],
      [{ side: 'SELL', reduceOnly: true }, '1.15'],
    ] as const)
      expect(preview(changes, where).effect.after).toMatchObject({ side: 'BUY', quantity });
  });

  it('has leverage and margin mode of the leg it changes, not of the other one', () => {
    const leg = { positionMode: 'HEDGE' } as const;
    const short = position({ ...leg, side: 'SELL', positionId: '2', profitUnreal: '-4000' });
    const long = position({ ...leg, marginMode: 'ISOLATED', leverage: 10, margin: '19000' });
    const assets = [asset({ isolatedMargin: '19000', locked: '28500', crossProfitUnreal: '-4000' })];
    const hedge = context({ account: account([short, long], assets) });
    const more = preview({}, hedge);
    expect(more.contract).toMatchObject({ leverage: '10', isolated: true, mode: 'isolated' });
    expect(more.initialMargin).toBe('8266.25');
    // 2,902.725 of 27,266.25 + 4,000 − 212.50.
    expect(to(6, more.isolatedRatio?.after.value)).toBe('0.093474');
    expect(to(4, more.liquidation.after.value)).toBe(
      to(
        4,
        isolatedLiquidation({
          ...{ contractSide: 'FORWARD', side: 'BUY', convention: 'flat', tiers: TIERS, feeRate: '0.0005' },
          ...{ quantity: '2.85', entryPrice: more.after!.leg.entryPrice, margin: '27266.25' },
        }),
      ),
    );
    // The isolated leg is no part of what backs the cross one.
    const sell = { side: 'SELL', quantity: '1', price: '98000' } as const;
    const alone = preview(sell, context({ account: account([short], assets) }));
    expect(preview(sell, hedge)).toMatchObject({
      initialMargin: '4900',
      isolatedRatio: null,
      liquidation: alone.liquidation,
      marginRatio: alone.marginRatio,
      freeMargin: alone.freeMargin,
    });
    const other = preview({}, context({ account: account([short], assets) }));
    expect(other.contract).toMatchObject({ leverage: '20', leverageFrom: 'other leg' });
    const close = preview({ side: 'SELL', quantity: '1', reduceOnly: true }, hedge);
    expect(close.contract).toMatchObject({ leverage: '10', isolated: true });
    expect(close.marginRatio.before).toEqual(more.marginRatio.before);
  });

  it('joins the other leg of a hedge when it reverses into it', () => {
    const leg = { positionMode: 'HEDGE' } as const;
    const short = position({ ...leg, side: 'SELL', quantity: '1.000', positionId: '2', margin: '4750' });
    const p = preview(
      { side: 'SELL', reverseOrder: true, quantity: '3', price: '97000.0' },
      context({ account: account([position(leg), short]), reverseQuantity: 'new-position' }),
    );
    expect(p.effect).toMatchObject({ closed: '2', opened: '3' });
    // 1 at 95,000 and 3 at 97,000.
    expect(p.after?.leg).toEqual({ side: 'SELL', quantity: '4', entryPrice: '96500' });
    expect(p.after?.tier?.level).toBe(2);
  });

  it('closes everything with a close-all, which has no quantity', () => {
    const result = previewOrder(
      { symbolId: 'BTC-USDT-M', side: 'SELL', type: 'MARKET', reduceOnly: true },
      context(),
    );
    expect(result.ok && result.preview.effect).toMatchObject({ closed: '2', after: null });
  });

  it('opens nothing without a quantity', () => {
    const { quantity, ...unsized } = order();
    expect(quantity).toBe('0.850');
    expect(previewOrder(unsized, context())).toEqual({
      ok: false,
      reason: 'There is no position on the other side to reduce.',
    });
  });
});

describe('the account after', () => {
  it('satisfies the exchange API’s identity: available = balance − locked − crossProfitUnreal', () => {
    // balance 100000 − 41.33125; locked 9500 + 4133.125; cross profit at mark 97000: 4000 + 0.85 × −250
    expect(preview({}).available).toEqual({ before: { value: '86500.00' }, after: { value: '82538.04375' } });
  });

  it('subtracts a cross loss from free margin, which `available` adds', () => {
    // balance 99958.66875 − locked 13633.125 − |3787.5|; at a loss of 4212.5 the same distance below
    expect(preview({}).freeMargin).toEqual({ before: { value: '86500' }, after: { value: '82538.04375' } });
    const losing = context({ account: account([position()], [asset({ crossProfitUnreal: '-4000' })]) });
    const { freeMargin, available } = preview({}, losing);
    expect(freeMargin).toEqual({ before: { value: '86500' }, after: { value: '82113.04375' } });
    expect(available.after.value).toBe('90538.04375');
  });

  it('adds maintenance and closing fee at the mark to the margin ratio', () => {
    const { marginRatio } = preview({});
    expect(marginRatio.before.value).toBe('0.01025961');
    // maintenance of 2.85 at 97000, tier 2, 1 % + 0.05 %: 2902.725; that of 2.0 before: 1067
    // cross equity: 99958.66875 + 3787.5
    expect(to(8, marginRatio.after.value)).toBe('0.02797911');
  });

  it('keeps isolated margin out of cross equity', () => {
    const split = asset({ isolatedMargin: '5000', isolatedLocked: '300' });
    const where = context({ account: account([position()], [split]) });
    // 2902.725 of (99958.66875 − 5300 + 3787.5)
    expect(to(8, preview({}, where).marginRatio.after.value)).toBe('0.02948540');
    const before = preview({}).liquidation.after.value ?? '0';
    const after = preview({}, where).liquidation.after.value ?? '0';
    expect(compare(calculated(after), calculated(before))).toBe(1);
  });

  it('has the ratio of an isolated position beside that of the coin, from its reported requirement', () => {
    const held = position({ marginMode: 'ISOLATED', maintainMargin: '980.00' });
    const where = context({ account: account([held]) });
    const { isolatedRatio } = preview({}, where);
    expect(to(8, isolatedRatio?.before.value)).toBe((1077 / 13_500).toFixed(8));
    // 2.85 × 97000 is in tier 2: 10 reported above Ballast's figure + 1% + fee; 9500 + 4133.125 + 4000 − 0.85 × 250.
    expect(to(8, isolatedRatio?.after.value)).toBe(((10 + 2764.5 + 138.225) / 17_420.625).toFixed(8));
    const half = preview({ side: 'SELL', quantity: '1', price: '97000', reduceOnly: true }, where);
    expect(to(8, half.isolatedRatio?.after.value)).toBe(((980 - 485 + 97 - 48.5) / 6750).toFixed(8));
    const closed = preview({ side: 'SELL', quantity: '2', reduceOnly: true }, where);
    expect(closed.isolatedRatio?.after).toEqual({ value: null, reason: 'Closed' });
    expect(preview({}).isolatedRatio).toBeNull();
  });

  it('removes a closed position’s margin and PnL', () => {
    const p = preview({ side: 'SELL', quantity: '2', reduceOnly: true, price: '97000' });
    expect(p.marginRatio.after.value).toBe('0');
    // 100000 + 4000 − 97 fee, nothing locked, nothing unrealised
    expect(p.available.after.value).toBe('103903');
    expect(p.freeMargin.after.value).toBe('103903');
  });

  it('is unknown for an account without the coin', () => {
    const p = preview({}, flat({ account: account([], []) }));
    expect(p.available.after).toEqual({ value: null, reason: 'No USDT in the account.' });
    expect(p.freeMargin.before.value).toBeNull();
  });
});

describe('liquidation after', () => {
  it('isolated: uses the posted margin', () => {
    const isolated = { ...LINEAR, defaultMarginMode: 'ISOLATION' };
    const p = preview({}, flat({ contracts: [isolated] }));
    const expected = isolatedLiquidation({
      contractSide: 'FORWARD',
      side: 'BUY',
      quantity: '0.850',
      entryPrice: '97250.0',
      margin: '4133.125',
      tiers: TIERS,
      convention: 'flat',
      feeRate: '0.0005',
    });
    expect(p.liquidation.after.value).toBe(expected);
    expect(to(4, p.distance.after.value)).toBe('-0.0423'); // 92898.3 from the mark, 97000
  });

  it('cross: is where equity equals maintenance margin and fees', () => {
    const p = preview({});
    const price = Number(p.liquidation.after.value);
    // Independent float check of docs/accounting.md's condition: 99958.66875 + 2.85 × (p − entry) = 2.85 p × (rate +
    // fee)
    const entry = (2 * 95000 + 0.85 * 97250) / 2.85;
    const rate = 2.85 * price <= 250_000 ? 0.005 : 0.01;
    expect(99958.66875 + 2.85 * (price - entry)).toBeCloseTo(2.85 * price * (rate + 0.0005), 3);
    expect(p.liquidation.before.value).toBe('60000.0');
  });

  it('distinguishes no liquidation from unknown', () => {
    const rich = flat({ account: account([], [asset({ balance: '900000' })]) });
    expect(preview({}, rich)).toMatchObject({ noLiquidation: true, liquidation: { after: { value: null } } });
    const other = position({ symbolId: 'LTC-USDT-M', markPrice: null, lastPrice: null });
    const ltc = { ...LINEAR, symbolId: 'LTC-USDT-M' };
    const p = preview({}, context({ account: account([other]), contracts: [LINEAR, ltc] }));
    expect(p).toMatchObject({
      noLiquidation: false,
      liquidation: { after: { value: null, reason: 'LTC-USDT-M has no mark price.' } },
    });
    expect(preview({}, context({ account: account([other]) })).liquidation.after.reason).toContain(
      'is not listed',
    );
  });

  it('is unknown while the margin mode is, of the contract or of another position of the coin', () => {
    const contracts = [LINEAR, { ...LINEAR, symbolId: 'ETH-USDT-M' }, INVERSE];
    const after = (...held: Partial<Position>[]) => {
      const { liquidation, marginRatio } = preview(
        {},
        context({ contracts, account: account(held.map(position)) }),
      );
      return { liquidation: liquidation.after.reason, marginRatio: marginRatio.after.reason };
    };
    const reason = (symbolId: string) => expect.stringContaining(`margin mode of ${symbolId} is unknown`);
    for (const marginMode of ['PORTFOLIO', '']) {
      const own = reason('BTC-USDT-M');
      expect(after({ marginMode })).toEqual({ liquidation: own, marginRatio: own });
      const other = { marginMode, positionId: '2' };
      expect(after({}, { ...other, symbolId: 'ETH-USDT-M' })).toEqual({ liquidation: reason('ETH-USDT-M') });
      expect(after({}, { ...other, symbolId: 'BTC-USD-M' })).toEqual({});
    }
  });

  it('takes a listed position of quantity 0 for none', () => {
    const none = {
      ...{ quantity: '0.000', avgEntryPrice: '0', entryValue: '0', margin: '0', maintainMargin: '0' },
      ...{ profitUnreal: '0', liquidPrice: '0', positionId: '2' },
    };
    const hedge = { positionMode: 'HEDGE' };
    const beside = (own: Partial<Position>[], changes: Partial<Position>) =>
      preview({}, context({ contracts, account: account([...own, { ...none, ...changes }].map(position)) }));
    const contracts = [LINEAR, { ...LINEAR, symbolId: 'ETH-USDT-M' }];
    const without = (own: Partial<Position>[]) =>
      preview({}, context({ contracts, account: account(own.map(position)) }));
    const { liquidation, marginRatio } = without([{}]);
    expect(beside([{}], { symbolId: 'ETH-USDT-M' })).toMatchObject({ liquidation, marginRatio });
    expect(beside([hedge], { ...hedge, side: 'SELL' })).toMatchObject({ liquidation, marginRatio });
    for (const side of ['BUY', 'SELL']) {
      const { effect } = beside([], { side });
      expect(effect).toMatchObject({ position: null, before: null, closed: '0', opened: '0.850' });
    }
  });

  it('ignores positions of another coin', () => {
    const inverse = position({ symbolId: 'BTC-USD-M', quantity: '45000', markPrice: null, lastPrice: null });
    const alone = preview({}, context({ account: account([]) })).liquidation.after;
    expect(preview({}, context({ account: account([inverse]) })).liquidation.after).toEqual(alone);
  });
});

describe('inverse contracts', () => {
  it('are sized in quote units and cost the coin', () => {
    const coins = account([], [asset({ coin: 'BTC', balance: '1', locked: '0', crossProfitUnreal: '0' })]);
    const p = preview(
      { symbolId: 'BTC-USD-M', quantity: '10000', price: '100000' },
      context({ account: coins }),
    );
    expect(p).toMatchObject({ notional: '0.1', initialMargin: '0.005' });
    expect(p.contract.coins).toEqual({ base: 'BTC', quote: 'USD', margin: 'BTC', quantity: 'USD' });
    expect(p.contract.config).toBe(INVERSE);
  });
});

describe('reward and risk', () => {
  it('deducts fees at both ends', () => {
    const tpSl = { tpTriggerType: 'M', tpPrice: '101300.0', slTriggerType: 'M', slPrice: '95900.0' };
    const { rewardRisk } = preview({ postOnly: true, tpSl });
    expect(to(2, rewardRisk?.reward)).toBe('3382.92');
    expect(to(2, rewardRisk?.risk)).toBe('-1204.79');
    expect(to(2, rewardRisk?.ratio)).toBe('2.81');
    expect(rewardRisk?.hasFees).toBe(true);
  });

  it.each([
    [{ feeRateMaker: null, feeRateTaker: null }, false],
    [{ feeRateMaker: null }, false],
    [{ feeRateTaker: null }, false],
    [{ feeRateMaker: '0', feeRateTaker: '0' }, true],
  ])('report whether the fees of both ends are known: %j', (rates, hasFees) => {
    const tpSl = { tpTriggerType: 'M', tpPrice: '101300.0', slTriggerType: 'M', slPrice: '95900.0' };
    const where = context({ specs: () => ({ ...SPECS, ...rates }) });
    expect(preview({ postOnly: true, tpSl }, where).rewardRisk).toMatchObject({ hasFees });
  });

  it('are those of the prices the triggered orders have', () => {
    const prices = { tpPrice: '101300.0', tpExecutePrice: '101000.0', slPrice: '95900.0' };
    const triggers = { tpTriggerType: 'M', slTriggerType: 'M' };
    const tpSl = { ...triggers, ...prices, slExecutePrice: '95800.0' };
    const { rewardRisk } = preview({ quantity: '1', price: '96900.0', tpSl });
    // ± 4100 or 1100, less 96900 × 0.0002 and the exit × 0.0005.
    expect(rewardRisk).toMatchObject({ reward: '4030.12', risk: '-1167.28' });
    expect(to(2, rewardRisk?.ratio)).toBe('3.45');
  });

  it('have no ratio without both, nor with a stop that earns or a take-profit that loses', () => {
    const of = (prices: object) => {
      const tpSl = { tpTriggerType: 'M', slTriggerType: 'M', ...prices };
      const found = preview({ quantity: '1', price: '96900.0', tpSl }).rewardRisk;
      return [found?.reward, found?.risk, found?.ratio];
    };
    expect(of({ tpPrice: '101000.0' })).toEqual(['4030.12', null, null]);
    expect(of({ slPrice: '95800.0' })).toEqual([null, '-1167.28', null]);
    expect(of({ tpPrice: '101000.0', slPrice: '98000.0' })).toEqual(['4030.12', '1031.62', null]);
    // 60 gained, 67.86 of fees.
    expect(of({ tpPrice: '96960.0', slPrice: '95800.0' })).toEqual(['-7.86', '-1167.28', null]);
  });

  it('are of what an order opens: none of one that only closes, or has no TP/SL', () => {
    const tpSl = { tpTriggerType: 'M', tpPrice: '90000.0', slTriggerType: 'NONE' };
    expect(preview({ side: 'SELL', quantity: '2', tpSl }).rewardRisk).toBeNull();
    expect(preview({}).rewardRisk).toBeNull();
    // 1 of 3 opens: 97000 − 90000, less 0.05 % of both.
    const turned = preview({ side: 'SELL', quantity: '3', price: '97000.0', tpSl });
    expect(turned.rewardRisk).toEqual({ hasFees: true, reward: '6906.5', risk: null, ratio: null });
  });

  it.each([
    ['maker', { price: '96900.0' }, {}, '-907.23'],
    ['taker', { price: '97000.0' }, {}, '-1016.98'],
    ['taker', { price: '96900.0', timeInForce: 'IOC' }, {}, '-931.94'],
    ['either', { price: '96900.0' }, { references: [] }, '-931.94'],
  ] as const)('pays the fee of its role at entry: %s', (feeRole, changes, where, risk) => {
    const tpSl = { tpTriggerType: 'NONE', slTriggerType: 'M', slPrice: '95900.0' };
    const found = preview({ quantity: '0.850', tpSl, ...changes }, context(where));
    expect(found.feeRole).toBe(feeRole);
    expect(to(2, found.rewardRisk?.risk)).toBe(risk);
  });
});

it('returns how much can be added within the tier', () => {
  // tier 1 ends at 250,000; 2 × 97,000 are in it
  expect(preview({}).leftInTier).toBe('0.577');
  // Nothing is added by an order the other way.
  expect(preview({ side: 'SELL', quantity: '9.000' }).leftInTier).toBeNull();
  expect(preview({})).toMatchObject({ before: { tier: { level: 1 } }, after: { tier: { level: 2 } } });
  // Beyond the last tier, nothing is left.
  const huge = context({ account: account([position({ quantity: '207.000' })]) });
  expect(preview({}, huge).leftInTier).toBe('0');
  const unseen = context({ specs: () => ({ ...SPECS, quantityDecimals: null }) });
  const untiered = context({ contracts: [{ ...LINEAR, riskLimitConfigs: [] }] });
  for (const where of [unseen, untiered, flat()]) expect(preview({}, where).leftInTier).toBeNull();
});

it('names the higher tier that an order leads into; a first position starts at the lowest', () => {
  const [first, second] = TIERS;
  expect(higherTier(preview({}))).toEqual({ from: first, to: second });
  expect(higherTier(preview({ quantity: '3.000' }, flat()))).toEqual({ from: null, to: second });
  expect(higherTier(preview({ quantity: '0.500' }))).toBeNull();
  expect(higherTier(preview({ quantity: '0.500' }, flat()))).toBeNull();
  const large = context({ account: account([position({ quantity: '5.000' })]) });
  expect(higherTier(preview({}, large))).toBeNull();
  // Into a lower one.
  expect(higherTier(preview({ side: 'SELL', quantity: '4.000', reduceOnly: true }, large))).toBeNull();
  expect(higherTier(preview({ side: 'SELL', quantity: '2.000', reduceOnly: true }))).toBeNull();
  const untiered = flat({ contracts: [{ ...LINEAR, riskLimitConfigs: [] }] });
  expect(higherTier(preview({}, untiered))).toBeNull();
});

it('says why there is no preview', () => {
  const reasonFor = (changes: Partial<OrderRequest>, where = context()) => {
    const found = previewOrder(order(changes), where);
    return found.ok ? null : found.reason;
  };
  const unlisted = 'The exchange does not list this contract.';
  expect(reasonFor({ symbolId: 'LTC-USDT-M' })).toBe(unlisted);
  expect(reasonFor({}, context({ contracts: null }))).toBe(unlisted);
  expect(reasonFor({ reduceOnly: true })).toBe('There is no position on the other side to reduce.');
  const unread = context({ account: account([position({ quantity: null, received: { quantity: 'x' } })]) });
  expect(reasonFor({ side: 'SELL' }, unread)).toMatch(/^BTC-USDT-M quantity .*[^.]\.$/);
});

it('values at the position’s mark, at the reference price without one, at its own price without any', () => {
  const by = (own: Partial<Position>, where: Partial<OrderContext> = {}) =>
    preview({}, context({ account: account([position(own)]), ...where })).markPrice;
  const typed = { references: [{ price: '96500.0', source: 'typed' as const, at: 0 }] };
  expect(by({ markPrice: '96000.0' }, typed)).toBe('96000.0');
  for (const markPrice of [null, '0']) expect(by({ markPrice }, typed)).toBe('96500.0');
  expect(by({ markPrice: null }, { references: [] })).toBe('97250.0');
  // 99958.66875 − 13633.125 − (4000 + 0.85 × −750)
  const valued = context({ account: account([position({ markPrice: null })]), ...typed });
  expect(preview({}, valued).available.after.value).toBe('82963.04375');
});

it('has no liquidation price, ratio or value before without a position, nor where the exchange reports 0', () => {
  const isolated = { contracts: [{ ...LINEAR, defaultMarginMode: 'ISOLATION' }] };
  const none = { value: null, reason: 'No position' };
  expect(preview({}, flat(isolated))).toMatchObject({
    ...{ before: null, liquidation: { before: none }, isolatedRatio: { before: none } },
    distance: { before: none },
  });
  const far = context({ account: account([position({ liquidPrice: '0.00' })]) });
  expect(preview({}, far).liquidation.before).toEqual({ value: null, reason: 'No liquidation' });
  const unread = context({ account: account([position({ liquidPrice: null })]) });
  expect(preview({}, unread).liquidation.before).toMatchObject({
    value: null,
    reason: expect.stringContaining('liquidPrice'),
  });
  // 60,000 from the mark of 97,000.
  expect(to(4, preview({}).distance.before.value)).toBe('-0.3814');
  const bare = context({ account: account([position({ marginMode: 'ISOLATED', maintainMargin: null })]) });
  const cover = preview({ side: 'SELL', quantity: '2', reduceOnly: true }, bare).isolatedRatio;
  expect(cover?.before).toEqual({ value: null, reason: 'The position’s margin cannot be read.' });
});
