import { describe, expect, it } from 'vitest';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import { previewOrder } from './preview.ts';
import { orderRisk, riskChecks } from './risk.ts';
import { account, asset, context, position } from '../../../tests/domain/order-samples.ts';

const order = (changes: Partial<OrderRequest> = {}): OrderRequest => ({
  symbolId: 'BTC-USDT-M',
  side: 'BUY',
  type: 'MARKET',
  quantity: '1',
  ...changes,
});
/** An account with this cross equity. */
const riskOf = (balance: string, changes: Partial<OrderRequest> = {}) => {
  const where = context({ account: account([position()], [asset({ balance })]) });
  const answers = (['fill', 'limit'] as const).map((at) => previewOrder(order(changes), where, at));
  return orderRisk(answers.flatMap((one) => (one.ok ? [one.preview] : [])));
};

describe('the risk of an order', () => {
  it('is danger if the margin ratio or the distance is', () => {
    const risk = riskOf('1000');
    expect(risk?.grade).toBe('danger');
    expect(riskChecks(risk).filter((one) => one.danger).length).toBeGreaterThan(0);
    expect(riskChecks(risk).map((one) => one.state)).not.toContain('fail');
  });
  it('passes if both are far from liquidation', () => {
    expect(riskChecks(riskOf('1000000')).map((one) => one.state)).not.toContain('warn');
  });
  it('takes the worse of its own price and the one it fills near', () => {
    const limit = riskOf('9000', { type: 'LIMIT', timeInForce: 'GTC', price: '104000' });
    const near = riskOf('9000');
    expect(Number(limit?.distance?.replace('-', ''))).toBeLessThan(Number(near?.distance?.replace('-', '')));
  });
  it('is unknown, not passed, if ratio and distance are unknown', () => {
    const known = previewOrder(
      order(),
      context({ account: account([position()], [asset({ balance: '1000000' })]) }),
    );
    if (!known.ok) throw new Error(known.reason);
    const unknown = { value: null, reason: 'It cannot be read.' } as const;
    const { preview } = known;
    const risk = orderRisk([
      {
        ...preview,
        noLiquidation: false,
        marginRatio: { ...preview.marginRatio, after: unknown },
        distance: { ...preview.distance, after: unknown },
      },
    ]);
    expect(risk?.grade).toBeNull();
    expect(riskChecks(risk).map((one) => `${one.state} ${one.message}`)).toEqual([
      'unknown Margin ratio is not known: It cannot be read.',
      'unknown Distance to liquidation is not known: It cannot be read.',
    ]);
  });
  it('is danger if the mark would be past the liquidation price, however far', () => {
    const far = previewOrder(
      order(),
      context({ account: account([position()], [asset({ balance: '1000000' })]) }),
    );
    if (!far.ok) throw new Error(far.reason);
    const { preview } = far;
    const past = { ...preview, distance: { ...preview.distance, after: { value: '0.4' } } };
    const risk = orderRisk([past]);
    expect(risk).toMatchObject({ grade: 'danger', distance: '-0.4' });
    expect(riskChecks(risk).map((one) => one.message)).toContain(
      'The mark is past the liquidation price: the position would be liquidated at once.',
    );
  });
  it('takes the ratio of an isolated position, however far the coin’s is', () => {
    // 2.85 × 97000 needs 1% and the fee of a margin that losses have used up but for 3,000.
    const held = position({
      marginMode: 'ISOLATED',
      margin: '3000',
      profitUnreal: '-3000',
      liquidPrice: '1',
    });
    const where = context({ account: account([held], [asset({ balance: '1000000' })]) });
    const found = previewOrder(order({ quantity: '0.001' }), where);
    if (!found.ok) throw new Error(found.reason);
    const risk = orderRisk([found.preview]);
    expect(risk).toMatchObject({ grade: 'danger', ratio: found.preview.isolatedRatio?.after.value });
    expect(Number(found.preview.marginRatio.after.value)).toBeLessThan(0.1);
    expect(riskChecks(risk)[0]?.message).toMatch(/^Margin ratio ≈ /);
  });
  it('is danger if no equity would be left', () => {
    const risk = riskOf('-20000');
    expect(risk).toMatchObject({ grade: 'danger', isUsedUp: true });
    expect(riskChecks(risk)[0]).toMatchObject({ id: 'risk-ratio', danger: true });
  });
  it('is null for an order that only reduces', () => {
    expect(riskOf('1000', { side: 'SELL', reduceOnly: true })).toBeNull();
  });
});
