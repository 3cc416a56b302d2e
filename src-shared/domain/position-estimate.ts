/**
 * The exchange's figures of a position beside Ballast's own, by accounting.md's definitions: on demand, never in
 * the exchange's place. A figure that cannot be worked out says why.
 */
import { amount, calculated, print, subtract } from '../amount.ts';
import type { AccountInfo, Position } from '../interface/account.ts';
import { marginModeWord } from '../interface/enums.ts';
import type { SymbolConfig } from '../interface/symbol-config.ts';
import { coinsOf, sideOf } from './contract-coins.ts';
import { DomainError } from './input.ts';
import type { Learned } from './learned.ts';
import { bankruptcy, crossLiquidation, type CrossPosition, isolatedLiquidation } from './liquidation.ts';
import {
  type ContractSide,
  type Convention,
  initialMargin,
  maintenanceMargin,
  positionValue,
} from './margin.ts';
import { isLongOrShort, unitsOf } from './order-context.ts';
import { type Figure, known, NO_LIQUIDATION, unknown } from './order-figures.ts';
import { profit } from './pnl.ts';
import { hasLiquidation, markOf } from './position-figures.ts';

export interface EstimateContext {
  readonly account: AccountInfo;
  readonly contractOf: (symbolId: string) => SymbolConfig | undefined;
  readonly facts: (symbolId: string) => Learned;
  readonly convention: Convention;
}

export interface Comparison {
  readonly name: 'liquidation' | 'bankruptcy' | 'value' | 'unrealised' | 'initial' | 'maintenance';
  readonly label: string;
  /** As received; null where the interface has no such field or it was empty. */
  readonly exchange: string | null;
  /** Figures of different kinds are not subtracted: a price that does not exist has no difference. */
  readonly estimate: Figure;
  /** estimate − exchange */
  readonly difference: string | null;
  /** What the estimate rests on. */
  readonly basis: string;
}

interface Known {
  readonly position: Position;
  readonly side: 'BUY' | 'SELL';
  readonly contractSide: ContractSide;
  readonly config: SymbolConfig;
  readonly coin: string;
  readonly quantity: string;
  readonly feeRate: string;
}

/** One line a figure; a reason as text when nothing about the contract can be calculated. */
export function compareWithEstimate(
  position: Position,
  context: EstimateContext,
): readonly Comparison[] | string {
  const found = knownOf(position, context);
  if (typeof found === 'string') return found;
  const { contractSide, side, quantity, config } = found;
  const entryPrice = position.avgEntryPrice;
  const mark = markOf(position);
  const atMark = (work: (price: string) => string): Figure =>
    mark === null ? unknown('No mark price.') : attempt(() => known(work(mark)));
  const rule = context.convention === 'flat' ? 'flat tiers' : 'marginal tiers';
  const cross = marginModeWord(position.marginMode) === 'Cross';
  return [
    line('liquidation', 'Liquidation price', hasLiquidation(position) ? position.liquidPrice : null, {
      estimate: liquidationEstimate(found, cross, context),
      basis: `${cross ? 'cross, the coin’s other positions at their marks' : 'isolated, from the entry'}; ${rule}; taker fee ${found.feeRate}`,
    }),
    line('bankruptcy', 'Bankruptcy price', null, {
      estimate: attempt(() => {
        const price = bankruptcy({ contractSide, side, entryPrice, leverage: String(position.leverage) });
        return price === null ? unknown(NO_LIQUIDATION) : known(price);
      }),
      basis: 'where the initial margin is used up, fees apart',
    }),
    line('value', 'Value at entry', position.entryValue, {
      estimate: attempt(() => known(positionValue({ contractSide, quantity, price: entryPrice }))),
      basis: contractSide === 'FORWARD' ? 'quantity × average entry' : 'quantity ÷ average entry',
    }),
    line('unrealised', 'Unrealised profit', position.profitUnreal, {
      estimate: atMark((exitPrice) => profit({ contractSide, side, quantity, entryPrice, exitPrice })),
      basis: 'from the average entry to the mark',
    }),
    line('initial', 'Margin', position.margin, {
      estimate: attempt(() =>
        known(
          initialMargin({ contractSide, quantity, price: entryPrice, leverage: String(position.leverage) }),
        ),
      ),
      basis: 'value at entry ÷ leverage; an isolated margin also carries funding and what was added',
    }),
    line('maintenance', 'Maintenance margin', position.maintainMargin, {
      estimate: atMark((price) =>
        maintenanceMargin({
          positionValue: positionValue({ contractSide, quantity, price }),
          tiers: config.riskLimitConfigs,
          convention: context.convention,
        }),
      ),
      basis: `value at mark, ${rule}, closing fee apart`,
    }),
  ];
}

function knownOf(position: Position, context: EstimateContext): Known | string {
  const config = context.contractOf(position.symbolId);
  const contractSide = config && sideOf(config);
  if (!config || !contractSide) return `${position.symbolId} is not in the configuration that was read.`;
  if (!isLongOrShort(position.side)) return `The side “${position.side}” is not known to this version.`;
  const facts = context.facts(position.symbolId);
  return {
    position,
    side: position.side,
    contractSide,
    config,
    coin: coinsOf(config).margin,
    quantity: unitsOf({ facts }, position.quantity),
    feeRate: facts.feeRateTaker ?? '0',
  };
}

function liquidationEstimate(own: Known, cross: boolean, context: EstimateContext): Figure {
  if (!cross) {
    const { position, ...rest } = own;
    return attempt(() =>
      priceOrNone(
        isolatedLiquidation({
          ...rest,
          entryPrice: position.avgEntryPrice,
          margin: position.margin,
          tiers: own.config.riskLimitConfigs,
          convention: context.convention,
        }),
      ),
    );
  }
  const asset = context.account.assets.find((one) => one.coin === own.coin);
  if (asset === undefined) return unknown(`No ${own.coin} in the account.`);
  const members: Known[] = [];
  for (const position of context.account.positions) {
    if (marginModeWord(position.marginMode) !== 'Cross') continue;
    const other = knownOf(position, context);
    if (typeof other === 'string') return unknown(other);
    if (other.coin === own.coin) members.push(other);
  }
  const positions: CrossPosition[] = [];
  for (const member of members) {
    const markPrice = markOf(member.position);
    if (markPrice === null) return unknown(`${member.position.symbolId} has no mark price.`);
    positions.push({
      symbolId: member.position.symbolId,
      contractSide: member.contractSide,
      side: member.side,
      quantity: member.quantity,
      entryPrice: member.position.avgEntryPrice,
      markPrice,
      tiers: member.config.riskLimitConfigs,
      convention: context.convention,
      feeRate: member.feeRate,
    });
  }
  const at = members.findIndex((member) => member.position === own.position);
  const isolated = calculated(asset.isolatedMargin);
  const walletBalance = print(
    subtract(subtract(amount(asset.balance), isolated), amount(asset.isolatedLocked)),
  );
  return attempt(() =>
    priceOrNone(crossLiquidation({ walletBalance, positions, feeRate: own.feeRate })[at] ?? null),
  );
}

const priceOrNone = (price: string | null): Figure =>
  price === null ? unknown(NO_LIQUIDATION) : known(price);

/** Records of an exchange can be what the maths has no answer for: tiers with a hole, a quantity of 0. */
function attempt(work: () => Figure): Figure {
  try {
    return work();
  } catch (error) {
    if (error instanceof DomainError) return unknown(error.message);
    throw error;
  }
}

function line(
  name: Comparison['name'],
  label: string,
  received: string | null,
  own: { readonly estimate: Figure; readonly basis: string },
): Comparison {
  const exchange = received === '' ? null : received;
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
