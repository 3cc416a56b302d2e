/** The parts that the first figures do not need, loaded and drawn after the first frame (App.svelte). */
import './styles/explained.css';
import './styles/forced-colours.css';
import type { Component } from 'svelte';
import ClosePositionsSheet from './features/close/ClosePositionsSheet.svelte';
import CloseSheet from './features/close/CloseSheet.svelte';
import ConfirmSheet from './features/confirm/ConfirmSheet.svelte';
import MarginSheet from './features/overview/MarginSheet.svelte';
import LiquidationSheet from './features/positions/LiquidationSheet.svelte';
import TicketColumn from './screens/TicketColumn.svelte';
import HelpSheets from './frame/HelpSheets.svelte';
import OrderToasts from './frame/OrderToasts.svelte';
import Palette from './frame/Palette.svelte';
import UnlockDialog from './frame/UnlockDialog.svelte';
import { DeferredState } from './state/app/deferred-state.svelte.ts';

const sheets: readonly Component[] = [
  CloseSheet,
  ClosePositionsSheet,
  ConfirmSheet,
  MarginSheet,
  LiquidationSheet,
  HelpSheets,
];

/** `ticket` stands in the dock on the right of every screen; a sheet opens by its class in state/. */
export default {
  ticket: TicketColumn,
  orderToasts: OrderToasts,
  sheets,
  Palette,
  UnlockDialog,
  DeferredState,
};
