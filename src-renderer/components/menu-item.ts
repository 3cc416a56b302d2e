import type { Component } from 'svelte';

/** An entry of a menu. */
export interface MenuItem {
  readonly label: string;
  readonly note?: string;
  readonly icon?: Component<{ size?: number }>;
  readonly checked?: boolean;
  readonly disabled?: boolean;
  /** Among the tiles at the top. */
  readonly tile?: boolean;
  /** A line parts it from those before it. */
  readonly apart?: boolean;
  readonly run: () => void;
}
