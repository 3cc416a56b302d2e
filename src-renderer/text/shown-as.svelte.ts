/**
 * How numbers and dates are written, and whether amounts are hidden: one for the window, since texts are made outside
 * components too. App.svelte sets it from the settings; whatever reads it while drawing is drawn anew.
 */
import { type CoinDecimals, coinDecimals } from './coin-decimals.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src-shared/ipc/settings.ts';

export type Format = Pick<Settings, 'grouping' | 'decimalMark' | 'dateFormat' | 'privacy' | 'precision'>;

class ShownAs {
  value = $state.raw<Format>(DEFAULT_SETTINGS);
  /** The coins prices are in; none before the contracts were read. */
  quoteCoins = $state.raw<ReadonlySet<string>>(new Set());

  /** How many decimals of money in a coin are shown; null for all that were received. */
  decimalsOf(coin: string): CoinDecimals | null {
    return this.value.precision === 'received' ? null : coinDecimals(this.quoteCoins.has(coin));
  }
}
export const shownAs = new ShownAs();
