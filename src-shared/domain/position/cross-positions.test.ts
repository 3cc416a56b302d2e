import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convention, decimalText, position as drawn } from '../../../tests/domain/arbitraries.ts';
import { LINEAR, position, SPECS } from '../../../tests/domain/order-samples.ts';
import { amount } from '../../amount.ts';
import { crossLiquidation } from '../margin/liquidation.ts';
import { crossOf, CrossPositions, type Member } from './cross-positions.ts';
import { crossPosition } from './resolved.ts';
import type { ContractSide } from '../../exchange-api/enums.ts';

const COIN = 'BTC';
/** Contracts of one coin: linear ones are margined in their quote, inverse ones in their base. */
const symbolOf = (side: ContractSide, n: number): string =>
  side === 'FORWARD' ? `C${n}-${COIN}-M` : `${COIN}${1000 + n}-USD-M`;

/** Up to five positions in up to three contracts, each with a mark, by contract side. */
const account = (side: ContractSide) =>
  fc
    .record({
      contracts: fc.array(drawn(side), { minLength: 3, maxLength: 3 }),
      held: fc.array(fc.tuple(fc.nat(2), drawn(side), fc.integer({ min: 5_000, max: 90_000 })), {
        minLength: 1,
        maxLength: 5,
      }),
      wallet: fc.integer({ min: -1_000_000, max: 9_000_000 }),
      convention,
    })
    .map(({ contracts, held, wallet, convention: rule }) => {
      const configs = contracts.map((one, n) => ({
        ...LINEAR,
        symbolId: symbolOf(side, n),
        contractSide: side,
        contractType: side === 'FORWARD' ? 'PERPETUAL' : 'DELIVERY',
        riskLimitConfigs: one.tiers,
      }));
      const positions = held.map(([n, one, mark], index) =>
        position({
          symbolId: symbolOf(side, n),
          side: one.side,
          quantity: one.quantity,
          avgEntryPrice: one.entryPrice,
          entryValue: '0',
          markPrice: decimalText(mark, 2),
          positionId: String(index),
        }),
      );
      const members = crossOf(COIN, positions, {
        contractOf: (id) => configs.find((one) => one.symbolId === id),
        specs: () => ({ ...SPECS, feeRateTaker: contracts[0]?.feeRate ?? '0' }),
        closingFee: true,
      });
      const size = decimalText(Math.abs(wallet), 4);
      return { members, wallet: wallet < 0 ? `-${size}` : size, rule };
    });

describe('cross positions beside an assumed one', () => {
  it.each(['FORWARD', 'REVERSE'] as const)('liquidate it as the formula over all of them, %s', (side) => {
    fc.assert(
      fc.property(account(side), ({ members, wallet, rule }) => {
        if (typeof members === 'string') throw new Error(members);
        const [own, ...others] = members;
        if (own === undefined) throw new Error('no position');
        const converted = ({ known, mark }: Member) => crossPosition(known, mark, rule);
        const [price] = CrossPositions.of(others, own.known.config.symbolId, rule).liquidationPrices(
          amount(wallet),
          [converted(own)],
        );
        const whole = { walletBalance: wallet, positions: members.map(converted), feeRate: '0' };
        expect(price).toBe(crossLiquidation(whole)[0]);
      }),
      { numRuns: 200 },
    );
  });
});
