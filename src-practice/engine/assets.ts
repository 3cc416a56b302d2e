/** The account's figures in one coin, as defined in docs/accounting.md. The identities hold by construction. */
import { abs, max, nearestDiv, RATE_ONE } from './atoms.ts';
import { ACCOUNT } from './ledger.ts';
import { figuresOf } from './margin.ts';
import type { Position, World } from './world.ts';

export interface Asset {
  balance: bigint;
  crossMargin: bigint;
  isolatedMargin: bigint;
  crossLocked: bigint;
  isolatedLocked: bigint;
  crossUnrealized: bigint;
  isolatedUnrealized: bigint;
  /** Maintenance margin plus closing fee of the cross positions. */
  crossMaintenance: bigint;
  trialLeft: bigint;
  trialGranted: bigint;
  crossPositions: number;
}

export const emptyAsset = (): Asset => ({
  balance: 0n,
  crossMargin: 0n,
  isolatedMargin: 0n,
  crossLocked: 0n,
  isolatedLocked: 0n,
  crossUnrealized: 0n,
  isolatedUnrealized: 0n,
  crossMaintenance: 0n,
  trialLeft: 0n,
  trialGranted: 0n,
  crossPositions: 0,
});

export const crossPositions = (world: World, coin: string): Position[] =>
  world.account.positions.filter(
    ({ contract, marginMode }) => contract.coin === coin && marginMode === 'CROSSED',
  );

export function assetOf(world: World, coin: string): Asset {
  const asset = emptyAsset();
  const trial = world.account.trial.get(coin);
  asset.balance = world.ledger.balance(ACCOUNT, coin);
  asset.trialLeft = trial?.left ?? 0n;
  asset.trialGranted = trial?.granted ?? 0n;
  for (const position of world.account.positions) {
    if (position.contract.coin !== coin) continue;
    const { unrealized, maintenance, closingFee } = figuresOf(world, position);
    if (position.marginMode === 'CROSSED') {
      asset.crossPositions += 1;
      asset.crossMargin += position.margin;
      asset.crossUnrealized += unrealized;
      asset.crossMaintenance += maintenance + closingFee;
    } else {
      asset.isolatedMargin += position.margin;
      asset.isolatedUnrealized += unrealized;
    }
  }
  for (const order of world.account.open.values()) {
    if (order.contract.coin !== coin) continue;
    if (order.marginMode === 'CROSSED') asset.crossLocked += order.remainingLocked;
    else asset.isolatedLocked += order.remainingLocked;
  }
  return asset;
}

export const lockedOf = (asset: Asset): bigint =>
  asset.crossMargin + asset.isolatedMargin + asset.crossLocked + asset.isolatedLocked;

export const availableOf = (asset: Asset): bigint => asset.balance - lockedOf(asset) - asset.crossUnrealized;

export const unrealizedOf = (asset: Asset): bigint => asset.crossUnrealized + asset.isolatedUnrealized;

/** The amount a new order may lock: at most `available`, and at most the coin's equity. */
export const freeMarginOf = (asset: Asset): bigint =>
  asset.balance - lockedOf(asset) - abs(asset.crossUnrealized);

export const transferableOf = (asset: Asset): bigint => max(0n, freeMarginOf(asset) - asset.trialLeft);

/** The balance that covers the cross positions, without their PnL. */
export const walletOf = (asset: Asset): bigint => asset.balance - asset.isolatedMargin - asset.isolatedLocked;

/** The equity that covers the cross positions. */
export const crossEquity = (asset: Asset): bigint => walletOf(asset) + asset.crossUnrealized;

/** The cross margin ratio in 1e-8, rounded to nearest. A divisor of 0 or less counts as 1, which is liquidation. */
export function crossRate(asset: Asset): bigint {
  if (asset.crossPositions === 0) return 0n;
  const equity = crossEquity(asset);
  return equity <= 0n ? RATE_ONE : nearestDiv(asset.crossMaintenance * RATE_ONE, equity);
}

/** The coins shown for the account: those it ever held, in the order of the first deposit. */
export const coinsOf = (world: World): string[] => world.ledger.coinNames();
