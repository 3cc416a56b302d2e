/** An entry of a menu. */
import type { IconName } from '../layout/icon-name.ts';

export interface MenuItem {
  readonly label: string;
  readonly note?: string;
  /** The keys that run it where the menu belongs. */
  readonly keys?: string;
  readonly icon?: IconName;
  readonly checked?: boolean;
  readonly disabled?: boolean;
  /** Shown among the tiles at the top. */
  readonly tile?: boolean;
  /** Starts a group: a line separates it from the entries above. */
  readonly apart?: boolean;
  readonly run: () => void;
}
