/** The screens, in the rail's order. A screen that is not built is not here: one line adds it. */
import Layers from '@lucide/svelte/icons/layers';
import LayoutDashboard from '@lucide/svelte/icons/layout-dashboard';
import List from '@lucide/svelte/icons/list';
import ScrollText from '@lucide/svelte/icons/scroll-text';
import SettingsIcon from '@lucide/svelte/icons/settings';
import Shield from '@lucide/svelte/icons/shield';
import type { Component } from 'svelte';
import CloseEverythingSheet from './features/close/CloseEverythingSheet.svelte';
import CloseSheet from './features/close/CloseSheet.svelte';
import ConfirmSheet from './features/confirm/ConfirmSheet.svelte';
import Activity from './features/activity/Activity.svelte';
import Overview from './features/overview/Overview.svelte';
import Risk from './features/risk/Risk.svelte';
import Ticket from './features/ticket/Ticket.svelte';
import Trades from './features/trades/Trades.svelte';
import PositionsScreen from './screens/PositionsScreen.svelte';
import Settings from './features/settings/Settings.svelte';

export interface Screen {
  /** Name used by `navigation.go`, and `data-screen` in the rail. */
  readonly name: string;
  readonly label: string;
  readonly icon: Component<{ size?: number; strokeWidth?: number }>;
  readonly component: Component;
  /** At the bottom of the rail, outside Ctrl/Cmd 1–6. */
  readonly last?: boolean;
  /** Takes the dock's place too: nothing is traded here. */
  readonly wide?: boolean;
}

export const SCREENS: readonly Screen[] = [
  { name: 'overview', label: 'Overview', icon: LayoutDashboard, component: Overview },
  { name: 'positions', label: 'Positions', icon: Layers, component: PositionsScreen },
  { name: 'risk', label: 'Risk', icon: Shield, component: Risk },
  { name: 'trades', label: 'Trades', icon: List, component: Trades },
  { name: 'activity', label: 'Activity', icon: ScrollText, component: Activity },
  { name: 'settings', label: 'Settings', icon: SettingsIcon, component: Settings, last: true, wide: true },
];

/** What stands in the dock on the right of every screen. */
export const TICKET: Component = Ticket;

/** Sheets over every screen; each opens by its class in state/. */
export const SHEETS: readonly Component[] = [CloseSheet, CloseEverythingSheet, ConfirmSheet];
