import { describe, expect, it } from 'vitest';
import { calculated, printFixed } from '../../amount.ts';
import { bankruptcy, isolatedLiquidation } from './liquidation.ts';
import { averageEntry, type Convention, initialMargin, maintenanceMargin } from './margin.ts';
import { profit } from './pnl.ts';
import type { ContractSide, OrderSide } from '../../exchange-api/enums.ts';
import type { RiskTier } from '../../exchange-api/symbol-config.ts';
import file from '../../../tests/domain/risk-examples.json' with { type: 'json' };

/** Every field of any example; each kind reads its own and rejects a missing one. */
interface Example {
  id: string;
  note?: string;
  kind: string;
  contractSide?: ContractSide;
  side?: OrderSide;
  quantity?: string;
  price?: string;
  entryPrice?: string;
  exitPrice?: string;
  leverage?: string;
  margin?: string;
  feeRate?: string;
  positionValue?: string;
  convention?: Convention;
  tiers?: RiskTier[];
  fills?: [string, string][];
  expected: string | Partial<Record<OrderSide, string>>;
}

function answers(example: Example): Record<string, string | null> {
  function need<Key extends keyof Example>(key: Key): NonNullable<Example[Key]> {
    const value = example[key];
    if (value === undefined) throw new Error(`${example.id} lacks ${key}`);
    return value;
  }
  const liquidation = (side: OrderSide): string | null =>
    isolatedLiquidation({
      contractSide: need('contractSide'),
      side,
      quantity: need('quantity'),
      entryPrice: need('entryPrice'),
      margin: need('margin'),
      tiers: need('tiers'),
      convention: need('convention'),
      feeRate: need('feeRate'),
    });
  switch (example.kind) {
    case 'initialMargin':
      return {
        it: initialMargin({
          contractSide: need('contractSide'),
          quantity: need('quantity'),
          price: need('price'),
          leverage: need('leverage'),
        }),
      };
    case 'maintenanceMargin':
      return {
        it: maintenanceMargin({
          positionValue: need('positionValue'),
          tiers: need('tiers'),
          convention: need('convention'),
        }),
      };
    case 'averageEntry':
      return { it: averageEntry({ contractSide: need('contractSide'), fills: need('fills') }) };
    case 'pnl':
      return {
        it: profit({
          contractSide: need('contractSide'),
          side: need('side'),
          quantity: need('quantity'),
          entryPrice: need('entryPrice'),
          exitPrice: need('exitPrice'),
        }),
      };
    case 'bankruptcy':
      return {
        it: bankruptcy({
          contractSide: need('contractSide'),
          side: need('side'),
          entryPrice: need('entryPrice'),
          leverage: need('leverage'),
        }),
      };
    case 'liquidation':
      return { BUY: liquidation('BUY'), SELL: liquidation('SELL') };
    default:
      throw new Error(`unknown kind ${example.kind}`);
  }
}

/** As many decimals as the source printed; a truncating source is marked in its note. */
function toDigitsOf(printed: string, value: string | null | undefined, cuts: boolean): string | null {
  if (typeof value !== 'string') return null;
  const decimals = printed.split('.')[1]?.length ?? 0;
  return printFixed(calculated(value), decimals, cuts ? 'down' : 'half-up');
}

describe('published examples', () => {
  for (const example of file.examples as Example[]) {
    it(example.id, () => {
      const found = answers(example);
      const expected = typeof example.expected === 'string' ? { it: example.expected } : example.expected;
      expect(Object.keys(expected).length).toBeGreaterThan(0);
      for (const [key, printed] of Object.entries(expected)) {
        expect(toDigitsOf(printed, found[key], example.note?.includes('cut') ?? false), key).toBe(printed);
      }
    });
  }
});
