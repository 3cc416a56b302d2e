/** The unit of the account's totals, as far as it can be inferred. */
import { amount, equal, greater, greaterOrEqual, isPositive } from '../../../src-shared/amount.ts';
import type { AccountInfo, Asset } from '../../../src-shared/exchange-api/account.ts';

/**
 * The exchange API does not define the totals' unit. Practice's are in USDT (docs/accounting.md); a live exchange's are
 * shown without one unless a single coin explains them: the only coin, and equal to the totals.
 */
export function totalsUnit(
  kind: 'practice' | 'live' | null,
  account: AccountInfo | null,
): string | undefined {
  if (kind === 'practice') return 'USDT';
  const [only, second] = account?.assets ?? [];
  if (account === null || only === undefined || second !== undefined) return undefined;
  const same = (own: string | null, total: string | null): boolean =>
    own !== null && total !== null && equal(amount(own), amount(total));
  return same(only.equities, account.totalEquities) && same(only.balance, account.balance)
    ? only.coin
    : undefined;
}

/**
 * The coin whose decimals the totals are cut to: their unit, else a quote coin that they are not smaller than. Totals in
 * a coin of a higher price would lose digits that matter; undefined leaves them whole.
 */
export function totalsMoney(
  unit: string | undefined,
  account: AccountInfo | null,
  quoteCoins: ReadonlySet<string>,
): string | undefined {
  if (unit !== undefined || account === null) return unit;
  const total = amount(account.totalEquities ?? '0');
  const fits = ({ coin, equities }: Asset): boolean =>
    quoteCoins.has(coin) && isPositive(total) && greaterOrEqual(total, amount(equities ?? '0'));
  return account.assets.find(fits)?.coin;
}

/**
 * The coin whose cross positions are nearest to liquidation; null when none has any. Compares only the rates that could
 * be read; for the others see `unratedCoins`.
 */
export function riskiest(account: AccountInfo): Asset | null {
  let worst: Asset | null = null;
  for (const asset of account.assets) {
    const rate = amount(asset.crossedMaintainMarginRate ?? '0');
    if (!isPositive(rate)) continue;
    if (worst === null || greater(rate, amount(worst.crossedMaintainMarginRate ?? '0'))) worst = asset;
  }
  return worst;
}

/** Coins whose margin ratio could not be read: any of them may be nearer to liquidation. */
export const unratedCoins = (account: AccountInfo): readonly string[] =>
  account.assets.filter((one) => one.crossedMaintainMarginRate === null).map(({ coin }) => coin);
