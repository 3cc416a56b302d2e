/**
 * Evaluates a hypothetical position in place of the symbol's own: liquidation price, tier, margins, margin ratio.
 * Estimates (≈) by docs/accounting.md, without the fees to get there. `prepareWhatIf` (what-if-inputs.ts) reads the
 * account once, `whatIf` runs per keystroke.
 */
import {
  add,
  type Amount,
  amount,
  calculated,
  divide,
  isPositive,
  multiply,
  print,
  subtract,
  sum,
} from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';
import { isCross, type OrderSide } from '../../exchange-api/enums.ts';
import { attempt, givenAmount } from '../numeric/decimal-input.ts';
import type { CrossPositions } from '../position/cross-positions.ts';
import { assumedHolding, crossPosition } from '../position/resolved.ts';
import { initialMargin, maintenanceMargin, positionValue, tierOf } from '../margin/margin.ts';
import {
  EQUITY_USED_UP,
  estimated,
  type Figure,
  known,
  liquidationFigure,
  unknown,
} from '../account/figure.ts';
import { isolatedFigure } from '../account/isolated-figure.ts';
import { feeFloor, priceOfOne } from '../order/size.ts';
import { profit } from '../margin/pnl.ts';
import { deviation } from '../instrument/price-deviation.ts';
import { quantityForNotional, quantityForShare, freeMargin } from '../order/sizing.ts';
import type { WhatIfContext } from './what-if-inputs.ts';
import type { RiskTier } from '../../exchange-api/symbol-config.ts';

export interface WhatIfInput {
  readonly side: OrderSide;
  readonly entryPrice: string;
  /** In the order's unit. */
  readonly quantity: string;
  readonly leverage: string;
  readonly isolated: boolean;
}

export interface WhatIf {
  readonly value: string;
  readonly tier: RiskTier | null;
  /** Whether the leverage exceeds what the value's tier allows. */
  readonly leverageTooHigh: boolean;
  readonly initialMargin: string;
  readonly maintenance: string;
  readonly liquidation: Figure;
  /** From the mark, as a signed share of it. */
  readonly distance: Figure;
  /** Tier of the value at the liquidation price. */
  readonly tierThere: RiskTier | null;
  /** Cross: the coin's; isolated: the position's own. */
  readonly marginRatio: Figure;
  /** Largest quantity whose tier allows this leverage, and what the balance allows to add. */
  readonly mostByTier: Figure;
  readonly moreByBalance: Figure;
}

/**
 * Evaluates a what-if, money in the margin coin; returns a reason for invalid input.
 * Source: docs/accounting.md, "Asset record" and "Liquidation price".
 */
export function whatIf(input: WhatIfInput, basis: WhatIfContext): WhatIf | string {
  const found = attempt(() => result(input, basis));
  return found.ok ? found.value : found.reason;
}

function result(input: WhatIfInput, basis: WhatIfContext): WhatIf {
  const { contract, markPrice, convention } = basis;
  const tiers = contract.config.riskLimitConfigs;
  const contractSide = contract.side;
  const { side, entryPrice, leverage } = input;
  const { quantity, feeRate } = assumedHolding(contract, input, basis);
  const value = positionValue({ contractSide, quantity, price: markPrice });
  const tier = tierOf(value, tiers);
  const maintenance = maintenanceMargin({ positionValue: value, tiers, convention });
  const closingFee = multiply(calculated(value), calculated(feeRate));
  const margin = initialMargin({ contractSide, quantity, price: entryPrice, leverage });
  const price = liquidationOf(input, basis);
  const gain = calculated(profit({ contractSide, side, quantity, entryPrice, exitPrice: markPrice }));
  return {
    value,
    tier,
    leverageTooHigh: isPositive(subtract(calculated(leverage), amount(tier.maxLeverage))),
    initialMargin: margin,
    maintenance,
    liquidation: price,
    distance: price.value === null ? price : known(print(deviation(price.value, markPrice))),
    tierThere:
      price.value === null
        ? null
        : tierOf(positionValue({ contractSide, quantity, price: price.value }), tiers),
    marginRatio: ratioOf(input, basis, {
      margin: calculated(margin),
      gain,
      due: add(calculated(maintenance), closingFee),
    }),
    mostByTier: mostByTier(leverage, basis),
    moreByBalance: estimated(() => moreByBalance(input, basis, { margin: calculated(margin), gain })),
  };
}

/**
 * Returns the liquidation price in quote units (docs/accounting.md, "Cross positions"). Throws DomainError. Fast enough
 * for every point of a curve.
 */
export function liquidationOf(input: WhatIfInput, basis: WhatIfContext): Figure {
  const { contract, convention, markPrice } = basis;
  const own = assumedHolding(contract, input, basis);
  if (input.isolated) {
    const { contractSide, quantity, entryPrice } = own;
    const margin = initialMargin({ contractSide, quantity, price: entryPrice, leverage: input.leverage });
    return isolatedFigure(own, convention, margin);
  }
  const wallet = basis.wallet(input.side);
  if (wallet === null) return unknown(`No ${contract.coins.margin} in the account.`);
  const mine = crossPosition(own, markPrice, convention);
  return liquidationFigure(others(input, basis).liquidationPrices(wallet, [mine])[0]);
}

/** Returns the coin's cross positions that stay, a hedge's other leg among them. */
const others = ({ side }: WhatIfInput, { held, replaced }: WhatIfContext): CrossPositions =>
  held.without(replaced(side));

function ratioOf(
  input: WhatIfInput,
  basis: WhatIfContext,
  own: { readonly margin: Amount; readonly gain: Amount; readonly due: Amount },
): Figure {
  if (input.isolated) return share(own.due, add(own.margin, own.gain), 'The margin would be used up.');
  const wallet = basis.wallet(input.side);
  if (wallet === null) return unknown(`No ${basis.contract.coins.margin} in the account.`);
  const rest = others(input, basis).at(basis.markPrice);
  const equity = add(add(wallet, rest.gain), own.gain);
  return share(add(rest.due, own.due), equity, EQUITY_USED_UP);
}

const share = (due: Amount, equity: Amount, reason: string): Figure =>
  isPositive(equity) ? known(print(divide(due, equity))) : unknown(reason);

const NO_DECIMALS = 'The contract’s quantity decimals are unknown.';

/** Returns the top of the highest tier that allows the leverage, as quantity at mark, rounded down. */
function mostByTier(leverage: string, { contract, markPrice }: WhatIfContext): Figure {
  const allows = contract.config.riskLimitConfigs.filter(
    (one) => !isPositive(subtract(calculated(leverage), amount(one.maxLeverage))),
  );
  const top = allows.at(-1);
  const decimals = contract.specs.quantityDecimals;
  if (top === undefined) return unknown(`No tier allows ${leverage}×.`);
  if (decimals === null) return unknown(NO_DECIMALS);
  return known(
    quantityForNotional({
      contractSide: contract.side,
      notional: top.maxPositionValue,
      price: priceOfOne(contract, markPrice),
      decimals,
    }),
  );
}

/**
 * Returns what could be added at mark from the margin free after the replacement: the what-if's margin and PnL are in
 * the account in place of those of the positions it replaces.
 */
function moreByBalance(
  { side, leverage, isolated }: WhatIfInput,
  basis: WhatIfContext,
  own: { readonly margin: Amount; readonly gain: Amount },
): Figure {
  const { asset, contract, markPrice } = basis;
  const decimals = contract.specs.quantityDecimals;
  if (asset === null) return unknown(`No ${contract.coins.margin} in the account.`);
  if (decimals === null) return unknown(NO_DECIMALS);
  const replaced = basis.replaced(side);
  const totalOf = (positions: readonly Position[], field: 'margin' | 'profitUnreal'): Amount =>
    sum(positions.map((one) => givenAmount(one, field)));
  const locked = subtract(add(givenAmount(asset, 'locked'), own.margin), totalOf(replaced, 'margin'));
  const others = subtract(
    givenAmount(asset, 'crossProfitUnreal'),
    totalOf(replaced.filter(isCross), 'profitUnreal'),
  );
  const crossProfit = isolated ? others : add(others, own.gain);
  return known(
    quantityForShare({
      contractSide: contract.side,
      freeMargin: freeMargin({ ...asset, locked: print(locked), crossProfitUnreal: print(crossProfit) }),
      share: '1',
      leverage,
      price: priceOfOne(contract, markPrice),
      feeRate: feeFloor(contract.specs.feeRateTaker),
      decimals,
    }),
  );
}
