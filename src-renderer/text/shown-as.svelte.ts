/**
 * The format of numbers and dates, and whether amounts are hidden. One for the window, since texts are also made
 * outside components: App.svelte sets it from the settings, and whatever reads it while drawing is redrawn on a change.
 */
import { decimalsOf } from '../../src-shared/amount.ts';
import { DEFAULT_SETTINGS } from '../../src-shared/ipc/default-settings.ts';
import type { Settings } from '../../src-shared/ipc/settings.ts';

export type Format = Pick<Settings, 'grouping' | 'decimalMark' | 'dateFormat' | 'privacy' | 'precision'>;

/** How many decimals of an amount of money are shown: more are cut, fewer are padded with zeros. */
export interface CoinDecimals {
  readonly least: number;
  readonly most: number;
}

const QUOTE: CoinDecimals = { least: 2, most: 2 };
/** A unit of another coin has a higher price: its sixth decimal is about a cent. */
const BASE: CoinDecimals = { least: 0, most: 6 };

class ShownAs {
  value = $state.raw<Format>(DEFAULT_SETTINGS);
  /** Quote coins of the contracts; none before the contracts are read. */
  quoteCoins = $state.raw<ReadonlySet<string>>(new Set());

  /** Returns how many decimals of an amount in a coin are shown; null for all that were received. */
  decimalsOf(coin: string): CoinDecimals | null {
    return this.value.precision === 'received' ? null : this.cutDecimalsOf(coin);
  }
  /** Returns how many where there is no room for all digits, whatever the setting. */
  cutDecimalsOf(coin: string): CoinDecimals {
    return this.quoteCoins.has(coin) ? QUOTE : BASE;
  }

  /**
   * Returns how many decimals of an average price are shown: it may have more than any price of the contract, but keeps
   * those of money in its coin.
   */
  averageDecimals(quote: string | null, markPrice: string | null): CoinDecimals | null {
    const cut = quote === null ? null : this.decimalsOf(quote);
    return cut && { least: 0, most: Math.max(cut.most, decimalsOf(markPrice ?? '0')) };
  }
}
export const shownAs = new ShownAs();
