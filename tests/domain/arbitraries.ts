/** Random positions for property tests, half of them with round figures, so that values lie on tier borders. */
import fc from 'fast-check';
import type { Convention } from '../../src-shared/domain/margin/margin.ts';
import type { ContractSide, OrderSide } from '../../src-shared/exchange-api/enums.ts';
import type { RiskTier } from '../../src-shared/exchange-api/symbol-config.ts';

/** `units` × 10^−decimals as plain text. */
export function decimalText(units: number, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return text;
}

export const contractSide = fc.constantFrom<ContractSide>('FORWARD', 'REVERSE');
export const side = fc.constantFrom<OrderSide>('BUY', 'SELL');
export const convention = fc.constantFrom<Convention>('flat', 'marginal');

/** Thousandths, sometimes with a large step, since only a large step can jump over the condition. */
const rateStep = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 50, max: 200 }));

/** One to six tiers whose borders are whole multiples of `unit` (a decimal text such as `0.01` or `100`). */
const tiersOf = (decimals: number, unit: number): fc.Arbitrary<RiskTier[]> =>
  fc
    .array(fc.tuple(fc.integer({ min: 1, max: 12 }), rateStep), {
      minLength: 1,
      maxLength: 6,
    })
    .map((steps) => {
      let min = 0;
      let rate = 0;
      return steps.map(([width, step], index) => {
        const max = min + width * unit;
        rate += step;
        const tier: RiskTier = {
          level: index + 1,
          minPositionValue: decimalText(min, decimals),
          maxPositionValue: decimalText(max, decimals),
          maintainMarginRate: decimalText(rate, 3),
          maxLeverage: String(100 - index),
        };
        min = max;
        return tier;
      });
    });

const roundOrRough = (rounds: number[], roughMax: number, decimals: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...rounds).map((units) => decimalText(units, decimals)),
    fc.integer({ min: 1, max: roughMax }).map((units) => decimalText(units, decimals)),
  );

export interface Drawn {
  contractSide: ContractSide;
  side: OrderSide;
  quantity: string;
  entryPrice: string;
  tiers: RiskTier[];
  convention: Convention;
  feeRate: string;
}

/** Linear: value about 100–3000 in tiers of hundreds. Inverse: the same quantities in tiers of tenths. */
export const position = (contract: ContractSide): fc.Arbitrary<Drawn> =>
  fc.record({
    contractSide: fc.constant(contract),
    side,
    quantity: roundOrRough([100, 200, 250, 300, 500, 1000], 2000, contract === 'FORWARD' ? 2 : 0),
    entryPrice: roundOrRough([10000, 20000, 25000, 30000, 40000, 60000], 90000, 2),
    tiers: contract === 'FORWARD' ? tiersOf(0, 100) : tiersOf(1, 5),
    convention,
    feeRate: fc.constantFrom('0', '0', '0.0006', '0.01'),
  });

/** Approximate position value at entry in ten-thousandths of the margin coin, for drawing amounts of its size. */
const roughValue = (drawn: Drawn): number => {
  const [quantity, price] = [Number(drawn.quantity), Number(drawn.entryPrice)];
  return Math.round((drawn.contractSide === 'FORWARD' ? quantity * price : quantity / price) * 10_000);
};

/**
 * A margin whose equity at a tier's upper border equals the requirement by that tier's rate, the next one's or one
 * between: random draws hardly ever hit a border.
 */
const marginAtBorder = (drawn: Drawn): fc.Arbitrary<string> =>
  fc.tuple(fc.nat(drawn.tiers.length - 1), fc.constantFrom(0, 0, 0.3, 0.7, 1)).map(([index, between]) => {
    const rate = (at: number): number => Number(drawn.tiers[at]?.maintainMarginRate ?? '0.5');
    const border = Number(drawn.tiers[index]?.maxPositionValue) * 10_000;
    const asked = border * (rate(index) + between * (rate(index + 1) - rate(index)));
    return decimalText(Math.round(Math.abs(border - roughValue(drawn)) + asked), 4);
  });

/** A margin of 0 to 120 % of the position's value, often a round share, or one aimed at a tier border. */
export const marginOf = (drawn: Drawn): fc.Arbitrary<string> =>
  fc.oneof(
    marginAtBorder(drawn),
    fc
      .oneof(fc.constantFrom(0, 10, 20, 50, 100), fc.integer({ min: 0, max: 120 }))
      .map((percent) => decimalText(Math.round((roughValue(drawn) * percent) / 100), 4)),
  );

export const isolated: fc.Arbitrary<{ position: Drawn; margin: string }> = contractSide
  .chain(position)
  .chain((drawn) => fc.record({ position: fc.constant(drawn), margin: marginOf(drawn) }));
