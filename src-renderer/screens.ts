/** The screens, in the rail's order. A screen that is not built is not here: one line adds it. */
import LayoutDashboard from '@lucide/svelte/icons/layout-dashboard';
import type { Component } from 'svelte';
import Overview from './features/overview/Overview.svelte';

export interface Screen {
  /** Name used by `navigation.go`, and `data-screen` in the rail. */
  readonly name: string;
  readonly label: string;
  readonly icon: Component<{ size?: number; strokeWidth?: number }>;
  readonly component: Component;
  /** At the bottom of the rail, outside Ctrl/Cmd 1–6. */
  readonly last?: boolean;
}

export const SCREENS: readonly Screen[] = [
  { name: 'overview', label: 'Overview', icon: LayoutDashboard, component: Overview },
];

/** What stands in the dock on the right of every screen; null until it is built. */
export const TICKET: Component | null = null;
