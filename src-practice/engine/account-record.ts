/** Writes `data` of account/info: 15 totals, 16 fields per asset, 37 per position. */
import {
  assetOf,
  availableOf,
  coinsOf,
  crossPositions,
  crossRate,
  emptyAsset,
  lockedOf,
  transferableOf,
  unrealizedOf,
} from './assets.ts';
import type { Asset } from './assets.ts';
import { floorDiv, nearestDiv, printMoney, printRate, printTrimmed, RATE_ONE } from './atoms.ts';
import { printLots, printPrice } from './contracts.ts';
import { AVERAGE_PLACES, entryUnits, liquidationTicks } from './liquid-price.ts';
import { bankruptcyValue, feeOf, figuresOf } from './margin.ts';
import { tpSlOf } from './order-records.ts';
import { positionId } from './orders.ts';
import { triggerRecords } from './triggers.ts';
import { marketOf } from './world.ts';
import type { Position, World } from './world.ts';

const assetRecord = (coin: string, asset: Asset) => ({
  available: printMoney(availableOf(asset)),
  balance: printMoney(asset.balance),
  canTransfer: printMoney(transferableOf(asset)),
  coin,
  crossLocked: printMoney(asset.crossLocked),
  crossMargin: printMoney(asset.crossMargin),
  crossProfitUnreal: printMoney(asset.crossUnrealized),
  crossedMaintainMargin: printMoney(asset.crossMaintenance),
  crossedMaintainMarginRate: printRate(crossRate(asset)),
  equities: printMoney(asset.balance + unrealizedOf(asset)),
  isolatedLocked: printMoney(asset.isolatedLocked),
  isolatedMargin: printMoney(asset.isolatedMargin),
  locked: printMoney(lockedOf(asset)),
  profitUnreal: printMoney(unrealizedOf(asset)),
  totalTrialFundBalance: printMoney(asset.trialGranted),
  trialFundBalance: printMoney(asset.trialLeft),
});

/** Converts an amount of `coin` to USDT atoms at the index of its USDT contract, floored to 8 places. */
function inUsdt(world: World, coin: string, atoms: bigint): bigint {
  if (coin === 'USDT') return atoms;
  const market = world.bySymbol.get(`${coin}-USDT-M`);
  if (!market) throw new Error(`no index for ${coin}`);
  const { tickUnits, tickDecimals } = market.contract;
  return floorDiv(atoms * BigInt(market.index) * tickUnits, 10n ** BigInt(tickDecimals));
}

function totalsOf(world: World, assets: readonly (readonly [string, Asset])[]) {
  const sum = emptyAsset();
  let transferable = 0n;
  for (const [coin, asset] of assets) {
    const convert = (atoms: bigint): bigint => inUsdt(world, coin, atoms);
    sum.balance += convert(asset.balance);
    sum.crossMargin += convert(asset.crossMargin);
    sum.isolatedMargin += convert(asset.isolatedMargin);
    sum.crossLocked += convert(asset.crossLocked);
    sum.isolatedLocked += convert(asset.isolatedLocked);
    sum.crossUnrealized += convert(asset.crossUnrealized);
    sum.isolatedUnrealized += convert(asset.isolatedUnrealized);
    sum.crossMaintenance += convert(asset.crossMaintenance);
    sum.trialLeft += convert(asset.trialLeft);
    sum.trialGranted += convert(asset.trialGranted);
    sum.crossPositions += asset.crossPositions;
    transferable += convert(transferableOf(asset));
  }
  return {
    available: printMoney(availableOf(sum)),
    balance: printMoney(sum.balance),
    canTransfer: printMoney(transferable),
    crossLocked: printMoney(sum.crossLocked),
    crossMargin: printMoney(sum.crossMargin),
    crossProfitUnreal: printMoney(sum.crossUnrealized),
    crossedMaintainMargin: printMoney(sum.crossMaintenance),
    crossedMaintainMarginRate: printRate(crossRate(sum)),
    isolatedLocked: printMoney(sum.isolatedLocked),
    isolatedMargin: printMoney(sum.isolatedMargin),
    profitUnreal: printMoney(unrealizedOf(sum)),
    totalEquities: printMoney(sum.balance + unrealizedOf(sum)),
    totalLocked: printMoney(lockedOf(sum)),
    totalTrialFundBalance: printMoney(sum.trialGranted),
    trialFundBalance: printMoney(sum.trialLeft),
  };
}

const ratio = (part: bigint, whole: bigint): string =>
  whole <= 0n ? '0' : printRate(nearestDiv(part * RATE_ONE, whole));

/** The fee part locked by the symbol's opening orders on the position's side. */
function frozenFee(world: World, position: Position): bigint {
  let fee = 0n;
  for (const order of world.account.open.values()) {
    if (order.contract === position.contract && order.side === position.side) fee += order.remainingFee;
  }
  return fee;
}

function positionRecord(world: World, position: Position, asset: Asset, others: Others, liquidation: number) {
  const { contract } = position;
  const market = marketOf(world, contract);
  const figures = figuresOf(world, position);
  const isolated = position.marginMode === 'ISOLATED';
  const places = contract.tickDecimals + AVERAGE_PLACES;
  const needs = figures.maintenance + figures.closingFee;
  const marginRate = isolated
    ? ratio(needs, position.margin + figures.unrealized)
    : printRate(crossRate(asset));
  const triggers = triggerRecords(world, position);
  // The record shows the TP/SL settings of the newest order. Each order's own settings are in tpSlOrders.
  const settings = world.account.triggers.findLast((each) => each.positionSeq === position.seq);
  return {
    avgEntryPrice: printTrimmed(entryUnits(position, places), places),
    bkrFee: isolated ? printMoney(feeOf(bankruptcyValue(position), contract.taker)) : null,
    closedFee: printMoney(figures.closingFee),
    ctime: position.openedAt,
    deductFeeAmount: printMoney(position.deductFee),
    deductFundingAmount: printMoney(position.deductFunding),
    deductLossAmount: printMoney(position.deductLoss),
    entryValue: printMoney(position.cost),
    feeAmount: printMoney(position.fee),
    feeAssetId: contract.coin,
    frozenFee: printMoney(frozenFee(world, position)),
    fundAmount: printMoney(position.funding),
    lastPrice: printPrice(contract, market.last),
    lastUpdateTime: position.changedAt,
    leverage: position.leverage,
    liquidPrice: liquidation === 0 ? '0' : printPrice(contract, liquidation),
    maintainMargin: printMoney(figures.maintenance),
    margin: printMoney(position.margin),
    marginMode: position.marginMode,
    marginRate,
    markPrice: printPrice(contract, market.mark),
    otherClosedFee: isolated ? null : printMoney(others.closingFee - figures.closingFee),
    otherMaintainMargin: isolated ? null : printMoney(others.maintenance - figures.maintenance),
    pnl: printMoney(position.pnl),
    posTpSlSize: triggers.filter(({ wholePosition }) => wholePosition).length,
    positionId: positionId(position.seq),
    positionMode: position.positionMode,
    profitUnreal: printMoney(figures.unrealized),
    profitUnrealRate: ratio(figures.unrealized, position.margin),
    quantity: printLots(contract, position.lots),
    realizedPnl: printMoney(position.pnl - position.fee + position.funding),
    side: position.side === 1 ? 'BUY' : 'SELL',
    symbolId: contract.symbolId,
    tpSl: settings ? JSON.stringify(tpSlOf(settings.order)) : null,
    tpSlOrders: triggers,
    tpSlSize: triggers.length,
    uid: world.account.uid,
  };
}

interface Others {
  maintenance: bigint;
  closingFee: bigint;
}

/** Sums the coin's cross positions. */
function crossSums(world: World, coin: string): Others {
  const sums = { maintenance: 0n, closingFee: 0n };
  for (const position of crossPositions(world, coin)) {
    const { maintenance, closingFee } = figuresOf(world, position);
    sums.maintenance += maintenance;
    sums.closingFee += closingFee;
  }
  return sums;
}

export function accountRecord(world: World) {
  const assets = coinsOf(world).map((coin) => [coin, assetOf(world, coin)] as const);
  const byCoin = new Map(assets);
  const sums = new Map(assets.map(([coin]) => [coin, crossSums(world, coin)]));
  const liquidations = liquidationTicks(world);
  const positions = world.account.positions.map((position) => {
    const { coin } = position.contract;
    const others = sums.get(coin) ?? { maintenance: 0n, closingFee: 0n };
    return positionRecord(
      world,
      position,
      byCoin.get(coin) ?? emptyAsset(),
      others,
      liquidations.get(position) ?? 0,
    );
  });
  return {
    ...totalsOf(world, assets),
    assets: assets.map(([coin, asset]) => assetRecord(coin, asset)),
    positions,
  };
}
