/** The screens, in the rail's order. A screen that is not built is not here: one line adds it. */
import BellRing from '@lucide/svelte/icons/bell-ring';
import Layers from '@lucide/svelte/icons/layers';
import LayoutDashboard from '@lucide/svelte/icons/layout-dashboard';
import List from '@lucide/svelte/icons/list';
import Rows3 from '@lucide/svelte/icons/rows-3';
import ScrollText from '@lucide/svelte/icons/scroll-text';
import SettingsIcon from '@lucide/svelte/icons/settings';
import Shield from '@lucide/svelte/icons/shield';
import type { Component } from 'svelte';
import OverviewScreen from './screens/OverviewScreen.svelte';
import { whenIdle } from './state/runtime/when-idle.ts';

export interface Screen {
  /** Name used by `navigation.go`, and `data-screen` in the rail. */
  readonly name: string;
  readonly label: string;
  readonly icon: Component<{ size?: number; strokeWidth?: number }>;
  /** A script of its own, so that the first screen need not wait for the others; asked for again, it is at hand. */
  readonly load: () => Promise<{ readonly default: Component }>;
  /** At the bottom of the rail, outside Ctrl/Cmd 1–6. */
  readonly last?: boolean;
  /** Takes the dock's place too: nothing is traded here, or not by the ticket. */
  readonly wide?: boolean;
}

export const SCREENS: readonly Screen[] = [
  {
    name: 'overview',
    label: 'Overview',
    icon: LayoutDashboard,
    load: () => Promise.resolve({ default: OverviewScreen }),
  },
  {
    name: 'positions',
    label: 'Positions',
    icon: Layers,
    load: () => import('./screens/PositionsScreen.svelte'),
  },
  { name: 'risk', label: 'Risk', icon: Shield, load: () => import('./features/risk/Risk.svelte') },
  { name: 'trades', label: 'Trades', icon: List, load: () => import('./features/trades/Trades.svelte') },
  {
    name: 'batch',
    label: 'Batch',
    icon: Rows3,
    load: () => import('./features/batch/Batch.svelte'),
    wide: true,
  },
  {
    name: 'activity',
    label: 'Activity',
    icon: ScrollText,
    load: () => import('./features/activity/Activity.svelte'),
  },
  {
    name: 'alerts',
    label: 'Alerts',
    icon: BellRing,
    load: () => import('./features/alerts/Alerts.svelte'),
    last: true,
  },
  {
    name: 'settings',
    label: 'Settings',
    icon: SettingsIcon,
    load: () => import('./features/settings/Settings.svelte'),
    last: true,
    wide: true,
  },
];

/** Reads the screens' scripts ahead, one after the other when nothing else is done, so that going to one never waits. */
export async function loadAhead(): Promise<void> {
  for (const { load } of SCREENS) {
    await new Promise<void>((idle) => whenIdle(idle));
    try {
      await load();
    } catch {
      // Asked for again when someone goes there, which then shows the failure.
    }
  }
}
