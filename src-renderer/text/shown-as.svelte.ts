/**
 * How numbers and dates are written, and whether amounts are hidden: one for the window, since texts are made outside
 * components too. App.svelte sets it from the settings; whatever reads it while drawing is drawn anew.
 */
import { DEFAULT_SETTINGS, type Settings } from '../../src-shared/ipc/settings.ts';

export type Format = Pick<Settings, 'grouping' | 'decimalMark' | 'dateFormat' | 'privacy'>;

class ShownAs {
  value = $state.raw<Format>(DEFAULT_SETTINGS);
}
export const shownAs = new ShownAs();
