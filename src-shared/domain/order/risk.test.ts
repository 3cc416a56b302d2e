import { describe, expect, it } from 'vitest';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import { EQUITY_USED_UP, type Figure, NO_LIQUIDATION } from '../account/figure.ts';
import { type OrderPreview, previewOrder } from './preview.ts';
import { orderRisk, ratioGrade, riskChecks } from './risk.ts';
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

const figure = (value: string | null, reason = 'It cannot be read.'): Figure =>
  value === null ? { value, reason } : { value };
/** A preview with these figures after it; `distance` is that of a long unless it is a sell. */
function previewed(
  ratio: Figure,
  distance: Figure,
  { side = 'BUY', isolated }: { side?: 'BUY' | 'SELL'; isolated?: Figure } = {},
): OrderPreview {
  const found = previewOrder(order({ side }), context({ account: account([position({ side })]) }));
  if (!found.ok) throw new Error(found.reason);
  const { marginRatio, distance: way, ...others } = found.preview;
  return {
    ...others,
    marginRatio: { ...marginRatio, after: ratio },
    isolatedRatio: isolated ? { before: isolated, after: isolated } : null,
    distance: { ...way, after: distance },
    noLiquidation: distance.reason === NO_LIQUIDATION,
  };
}
const checksOf = (...previews: readonly OrderPreview[]): string[] =>
  riskChecks(orderRisk(previews)).map(
    ({ id, state, danger, message }) => `${id} ${danger ? 'danger' : state}: ${message}`,
  );
const NONE = figure(null, NO_LIQUIDATION);

describe('the grade of an order', () => {
  it.each([
    ['0.4999', 'pass: Margin ratio under 50%'],
    ['0.5', 'warn: Margin ratio ≈ 50.00%. Liquidation is at 100%.'],
    ['0.79994', 'warn: Margin ratio ≈ 79.99%. Liquidation is at 100%.'],
    ['0.8', 'danger: Margin ratio ≈ 80.00%. Liquidation is at 100%.'],
  ])('by a margin ratio of %s: %s', (ratio, expected) => {
    expect(checksOf(previewed(figure(ratio), NONE))).toEqual([`risk-ratio ${expected}`]);
  });

  it.each([
    ['BUY', '-0.1', 'pass: Liquidation 10% or more from the mark'],
    ['BUY', '-0.09999', 'warn: Liquidation ≈ 9.99% from the mark.'],
    ['BUY', '-0.05', 'warn: Liquidation ≈ 5.00% from the mark.'],
    ['BUY', '-0.0499', 'danger: Liquidation ≈ 4.99% from the mark.'],
    ['SELL', '0.1', 'pass: Liquidation 10% or more from the mark'],
    ['SELL', '0.0499', 'danger: Liquidation ≈ 4.99% from the mark.'],
    [
      'SELL',
      '-0.2',
      'danger: The mark is past the liquidation price: the position would be liquidated at once.',
    ],
    ['BUY', '0', 'danger: The mark is past the liquidation price: the position would be liquidated at once.'],
  ] as const)('by the distance of a %s to liquidation, %s: %s', (side, distance, expected) => {
    const [, check] = checksOf(previewed(figure('0'), figure(distance), { side }));
    expect(check).toBe(`risk-distance ${expected}`);
  });

  it.each([
    ['0.6', '-0.04', 'danger'],
    ['0.85', '-0.5', 'danger'],
    ['0.6', '-0.5', 'caution'],
    ['0.1', '-0.07', 'caution'],
    ['0.1', '-0.5', 'healthy'],
  ])('is the worse of ratio %s and distance %s: %s', (ratio, distance, grade) => {
    expect(orderRisk([previewed(figure(ratio), figure(distance))])?.grade).toBe(grade);
  });

  it('is by the worst of several prices, in any order, and of the position’s own ratio', () => {
    const near = previewed(figure('0.2'), figure('-0.08'));
    const far = previewed(figure('0.6'), figure('-0.3'));
    const worst = { ratio: '0.6', distance: '0.08', grade: 'caution' };
    expect(orderRisk([near, far])).toMatchObject(worst);
    expect(orderRisk([far, near])).toMatchObject(worst);
    const own = previewed(figure('0.2'), NONE, { isolated: figure('0.9') });
    expect(orderRisk([own])).toMatchObject({ ratio: '0.9', grade: 'danger' });
    const coin = previewed(figure('0.9'), NONE, { isolated: figure('0.2') });
    expect(orderRisk([coin])).toMatchObject({ ratio: '0.9', grade: 'danger' });
  });

  it('is what is known of it, beside what is not', () => {
    const unread = previewed(figure(null), figure('-0.02'));
    expect(orderRisk([unread])?.grade).toBe('danger');
    expect(checksOf(unread)).toEqual([
      'risk-ratio unknown: Margin ratio is not known: It cannot be read.',
      'risk-distance danger: Liquidation ≈ 2.00% from the mark.',
    ]);
    // One that passes does not speak for the other.
    const half = [previewed(figure('0.1'), figure(null)), previewed(figure(null), figure('-0.5'))];
    expect(half.map((one) => orderRisk([one])?.grade)).toEqual([null, null]);
    // At one of its prices it is known and passes: at the other it may not.
    const both = [previewed(figure('0.1'), figure('-0.5')), previewed(figure(null), figure(null))];
    for (const previews of [both, both.toReversed()]) {
      expect(orderRisk(previews)).toMatchObject({ grade: null, ratio: '0.1', distance: '0.5' });
      expect(checksOf(...previews).map((one) => one.split(':')[0])).toEqual([
        'risk-ratio unknown',
        'risk-distance unknown',
      ]);
    }
  });

  it('is danger without equity, whatever else is unknown', () => {
    const used = previewed(figure(null, EQUITY_USED_UP), figure('-0.5'));
    expect(orderRisk([used])).toMatchObject({ grade: 'danger', ratio: null, ratioUnknown: null });
    expect(checksOf(used)[0]).toBe(`risk-ratio danger: ${EQUITY_USED_UP}`);
    const beside = [used, previewed(figure('0.1'), figure(null))];
    expect(orderRisk(beside)).toMatchObject({ grade: 'danger', isUsedUp: true });
    expect(checksOf(...beside)[0]).toBe(`risk-ratio danger: ${EQUITY_USED_UP}`);
  });

  it('is healthy, without a check of the distance, where no price liquidates it', () => {
    expect(orderRisk([previewed(figure('0.1'), NONE)])).toEqual({
      ...{ grade: 'healthy', ratio: '0.1', isUsedUp: false, ratioUnknown: null },
      ...{ distance: null, distanceUnknown: null },
    });
  });

  it('of a ratio alone is danger without equity, and unknown is no danger', () => {
    const grades = [figure('0.5'), figure('0.8'), figure(null), figure(null, EQUITY_USED_UP)];
    expect(grades.map(ratioGrade)).toEqual(['caution', 'danger', 'healthy', 'danger']);
  });

  it('is shown by no check of an order that opens nothing', () => {
    expect(riskChecks(null)).toEqual([]);
  });
});
