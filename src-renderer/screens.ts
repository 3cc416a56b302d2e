/** The screens, in the rail's order. Each new screen is one line here. */
import type { Component } from 'svelte';
import type { IconName } from './components/layout/icon-name.ts';
import OverviewScreen from './screens/OverviewScreen.svelte';
import type { AppState } from './state/app/app-state.svelte.ts';

export interface Screen {
  /** Name used by `navigation.go`, and `data-screen` in the rail. */
  readonly name: string;
  readonly label: string;
  /** More search terms of the palette. */
  readonly keywords?: string;
  readonly icon: IconName;
  /** Loads the screen's script, which is in the file read behind the first frame. */
  readonly load: (app: AppState) => Promise<ScreenScript>;
  /** Placed at the bottom of the rail, without a Ctrl/Cmd number. */
  readonly last?: boolean;
  /** Uses the dock's space too: the ticket is not needed here. */
  readonly wide?: boolean;
}

interface ScreenScript {
  readonly default: Component;
}

/** Loads a screen's script, and the deferred state that every screen but the first uses. */
const withDeferred =
  (read: () => Promise<ScreenScript>): Screen['load'] =>
  async (app) => {
    const [script] = await Promise.all([read(), app.deferred()]);
    return script;
  };

export const SCREENS: readonly Screen[] = [
  {
    name: 'overview',
    label: 'Overview',
    keywords: 'equity balances profit pnl exposure',
    icon: 'layout-dashboard',
    load: () => Promise.resolve({ default: OverviewScreen }),
  },
  {
    name: 'positions',
    label: 'Positions',
    keywords: 'orders close protection',
    icon: 'layers',
    load: withDeferred(() => import('./screens/PositionsScreen.svelte')),
  },
  {
    name: 'risk',
    label: 'Risk',
    keywords: 'liquidation',
    icon: 'shield',
    load: withDeferred(() => import('./features/risk/Risk.svelte')),
  },
  {
    name: 'trades',
    label: 'Trades',
    keywords: 'fees fills history',
    icon: 'list',
    load: withDeferred(() => import('./features/trades/Trades.svelte')),
  },
  {
    name: 'batch',
    label: 'Batch',
    keywords: 'ladder several orders',
    icon: 'rows-3',
    load: withDeferred(() => import('./screens/BatchScreen.svelte')),
    wide: true,
  },
  {
    name: 'activity',
    label: 'Activity',
    keywords: 'sent orders journal outcomes unknown',
    icon: 'scroll-text',
    load: withDeferred(() => import('./features/activity/Activity.svelte')),
  },
  {
    name: 'portfolio',
    label: 'Portfolio',
    keywords: 'accounts total',
    icon: 'wallet',
    load: () => import('./features/portfolio/Portfolio.svelte'),
    wide: true,
  },
  {
    name: 'alerts',
    label: 'Alerts',
    icon: 'bell-ring',
    load: withDeferred(() => import('./features/alerts/Alerts.svelte')),
    last: true,
  },
  {
    name: 'settings',
    label: 'Settings',
    icon: 'settings',
    load: withDeferred(() => import('./features/settings/Settings.svelte')),
    last: true,
    wide: true,
  },
];
