/**
 * Compares the exchange's values of a position with Ballast's, by docs/accounting.md. On demand only, never in their
 * place. A value that cannot be computed has a reason.
 */
import { attempt, given } from '../numeric/decimal-input.ts';
import { amount, calculated, multiply, print, subtract } from '../../amount.ts';
import type { Asset, Position } from '../../exchange-api/account.ts';
import { unknownMode } from '../instrument/trading-context.ts';
import { crossOf, CrossPositions, type Member, walletOf } from '../position/cross-positions.ts';
import {
  crossPosition,
  type EstimateContext,
  type KnownPosition,
  knownPosition,
} from '../position/resolved.ts';
import { bankruptcy } from '../margin/liquidation.ts';
import { initialMargin, maintenanceMargin, positionValue } from '../margin/margin.ts';
import { estimated, type Figure, known, liquidationFigure, unknown } from '../account/figure.ts';
import { isolatedFigure } from '../account/isolated-figure.ts';
import { profit } from '../margin/pnl.ts';
import { hasLiquidation, markOf } from '../position/metrics.ts';

export interface Comparison {
  readonly name: 'liquidation' | 'bankruptcy' | 'value' | 'unrealised' | 'initial' | 'maintenance';
  readonly label: string;
  /** As received; null if the exchange API has no such field or it was empty. */
  readonly exchange: string | null;
  /** The estimate; a price that does not exist has no difference. */
  readonly estimate: Figure;
  /** estimate − exchange */
  readonly difference: string | null;
  /** How the estimate was computed. */
  readonly basis: string;
}

/** Returns one line per value, or why nothing about the contract can be calculated. */
export function compareWithEstimate(
  position: Position,
  context: EstimateContext,
): readonly Comparison[] | string {
  const found = knownPosition(position, context);
  if (typeof found === 'string') return found;
  const { contractSide, side, quantity, config, cross } = found;
  const entryPrice = position.avgEntryPrice ?? found.entryPrice;
  const mark = markOf(position);
  const atMark = (work: (price: string) => string): Figure =>
    mark === null ? unknown('No mark price.') : estimated(() => known(work(mark)));
  return [
    liquidationLine(found, context),
    ...(cross === false ? [bankruptcyLine(found)] : []),
    line('value', 'Value at entry', position.entryValue, {
      estimate: estimated(() => known(positionValue({ contractSide, quantity, price: entryPrice }))),
      basis: contractSide === 'FORWARD' ? 'quantity × average entry' : 'quantity ÷ average entry',
    }),
    line('unrealised', 'Unrealised PnL', position.profitUnreal, {
      estimate: atMark((exitPrice) => profit({ contractSide, side, quantity, entryPrice, exitPrice })),
      basis: 'from the average entry to the mark',
    }),
    line('initial', 'Margin', position.margin, {
      estimate: estimated(() =>
        known(initialMargin({ contractSide, quantity, price: entryPrice, leverage: leverageOf(position) })),
      ),
      basis: 'value at entry ÷ leverage; an isolated margin also includes funding and added margin',
    }),
    line('maintenance', 'Maintenance margin', position.maintainMargin, {
      estimate: atMark((price) =>
        maintenanceMargin({
          positionValue: positionValue({ contractSide, quantity, price }),
          tiers: config.riskLimitConfigs,
          convention: context.convention,
        }),
      ),
      basis: `value at mark, ${ruleText(context)}, without closing fee`,
    }),
  ];
}

const ruleText = ({ convention }: EstimateContext): string =>
  convention === 'flat' ? 'flat tiers' : 'marginal tiers';

/** Compares the liquidation price alone. */
export function liquidationLine(found: KnownPosition, context: EstimateContext): Comparison {
  const { position, cross } = found;
  const reported = hasLiquidation(position) === true ? position.liquidPrice : null;
  return line('liquidation', 'Liquidation price', reported, {
    estimate: liquidationEstimate(found, context),
    basis: `${cross === true ? 'cross, the coin’s other positions at their marks' : cross === false ? 'isolated, from the entry' : 'margin mode unknown'}; ${ruleText(context)}; ${feeText(found, context)}`,
  });
}

function feeText({ position, feeRate }: KnownPosition, { specs, closingFee }: EstimateContext): string {
  if (!closingFee) return 'without closing fee';
  return specs(position.symbolId).feeRateTaker === null
    ? 'without closing fee: the taker fee is not known'
    : `taker fee ${print(multiply(calculated(feeRate), amount('100')))}%`;
}

const leverageOf = (position: Position): string => String(given(position, 'leverage'));

/** Computes an isolated position's bankruptcy price; a cross one is covered by the coin's whole equity. */
export function bankruptcyLine({ position, contractSide, side, entryPrice }: KnownPosition): Comparison {
  return line('bankruptcy', 'Bankruptcy price', null, {
    estimate: estimated(() =>
      liquidationFigure(
        bankruptcy({
          contractSide,
          side,
          entryPrice: position.avgEntryPrice ?? entryPrice,
          leverage: leverageOf(position),
        }),
      ),
    ),
    basis: 'where the initial margin is used up, without fees',
  });
}

/** What covers a position's losses. */
export interface Backing {
  /** Its own margin, or the cross wallet: balance − isolated margin − isolated orders. */
  readonly collateral: string;
  /** The asset the cross wallet is of; null for an isolated position. */
  readonly asset: Asset | null;
  /** All cross positions of the coin, its own included; null for an isolated position. */
  readonly members: readonly Member[] | null;
}

/** Returns what backs a position, or why that is not known. */
export function backingOf(own: KnownPosition, context: EstimateContext): Backing | string {
  const found = attempt((): Backing | string => {
    if (own.cross === null) return unknownMode(own.position.symbolId);
    if (!own.cross) return { collateral: given(own.position, 'margin'), asset: null, members: null };
    const asset = context.account.assets.find(({ coin }) => coin === own.coin);
    if (asset === undefined) return `No ${own.coin} in the account.`;
    const members = crossOf(own.coin, context.account.positions, context);
    return typeof members === 'string' ? members : { collateral: print(walletOf(asset)), asset, members };
  });
  return found.ok ? found.value : found.reason;
}

/** Estimates the liquidation price of a position with another quantity and collateral than its own. */
export const liquidationWith = (
  own: KnownPosition,
  { members }: Backing,
  { convention }: EstimateContext,
  changed: () => readonly [quantity: string, collateral: string],
): Figure =>
  estimated(() => {
    const [quantity, collateral] = changed();
    if (members === null) return isolatedFigure({ ...own, quantity }, convention, collateral);
    const mine = { ...crossPosition(own, given(own.position, 'markPrice'), convention), quantity };
    const others = CrossPositions.beside(own, members, convention);
    return liquidationFigure(others.liquidationPrices(calculated(collateral), [mine])[0]);
  });

function liquidationEstimate(own: KnownPosition, context: EstimateContext): Figure {
  const backing = backingOf(own, context);
  if (typeof backing === 'string') return unknown(backing);
  return liquidationWith(own, backing, context, () => [own.quantity, backing.collateral]);
}

function line(
  name: Comparison['name'],
  label: string,
  exchange: string | null,
  own: { readonly estimate: Figure; readonly basis: string },
): Comparison {
  const { value } = own.estimate;
  return {
    name,
    label,
    exchange,
    ...own,
    difference:
      exchange === null || value === null ? null : print(subtract(calculated(value), amount(exchange))),
  };
}
