import type { Component } from 'svelte';

/** An entry of a menu. */
export interface MenuItem {
  readonly label: string;
  readonly note?: string;
  readonly icon?: Component<{ size?: number }>;
  readonly checked?: boolean;
  readonly disabled?: boolean;
  /** Shown among the tiles at the top. */
  readonly tile?: boolean;
  /** Starts a group: a line separates it from the entries above. */
  readonly apart?: boolean;
  readonly run: () => void;
}
