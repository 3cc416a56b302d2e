/**
 * Compares the exchange's values of a position with Ballast's, by docs/accounting.md. On demand only, never in their
 * place. A value that cannot be computed has a reason.
 */
import { given } from '../numeric/decimal-input.ts';
import { amount, calculated, multiply, print, subtract } from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';
import { unknownMode } from '../instrument/trading-context.ts';
import { crossOf, CrossPositions, walletOf } from '../position/cross-positions.ts';
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
        known(
          initialMargin({ contractSide, quantity, price: entryPrice, leverage: String(position.leverage) }),
        ),
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

/** Computes an isolated position's bankruptcy price; a cross one is covered by the coin's whole equity. */
export function bankruptcyLine({ position, contractSide, side, entryPrice }: KnownPosition): Comparison {
  return line('bankruptcy', 'Bankruptcy price', null, {
    estimate: estimated(() =>
      liquidationFigure(
        bankruptcy({
          contractSide,
          side,
          entryPrice: position.avgEntryPrice ?? entryPrice,
          leverage: String(position.leverage),
        }),
      ),
    ),
    basis: 'where the initial margin is used up, without fees',
  });
}

function liquidationEstimate(own: KnownPosition, context: EstimateContext): Figure {
  const { convention } = context;
  if (own.cross === null) return unknown(unknownMode(own.position.symbolId));
  if (!own.cross) return estimated(() => isolatedFigure(own, convention, given(own.position, 'margin')));
  const asset = context.account.assets.find((one) => one.coin === own.coin);
  if (asset === undefined) return unknown(`No ${own.coin} in the account.`);
  const members = crossOf(own.coin, context.account.positions, context);
  if (typeof members === 'string') return unknown(members);
  return estimated(() => {
    const wallet = walletOf(asset);
    const mine = crossPosition(own, given(own.position, 'markPrice'), convention);
    const others = CrossPositions.beside(own, members, convention);
    return liquidationFigure(others.liquidationPrices(wallet, [mine])[0]);
  });
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
