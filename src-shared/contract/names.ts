/** Names of the bridge's calls and events: all the preload needs, so that no validator is in its bundle. */
export const CALL_NAMES = [
  'session.get',
  'settings.get',
  'settings.set',
  'connections.add',
  'connections.update',
  'connections.remove',
  'connections.select',
  'connections.setSecret',
  'connections.forgetSecret',
  'connections.test',
  'connections.testDraft',
  'signing.preview',
  'trading.setLock',
  'orders.review',
  'orders.send',
  'orders.discard',
  'orders.reviewBatch',
  'orders.sendBatch',
  'orders.stopBatch',
  'orders.batches',
  'orders.closeUnknown',
  'orders.claim',
  'orders.checkNow',
  'journal.list',
  'feeds.get',
  'feeds.refresh',
  'history.query',
  'trades.page',
  'trades.totals',
  'trades.groups',
  'trades.building',
  'trades.symbols',
  'trades.syncStatus',
  'trades.sync',
  'trades.export',
  'trades.exportPreview',
  'trades.cancelExport',
  'practice.state',
  'practice.change',
  'files.show',
  'clipboard.write',
  'page.open',
] as const;
export type CallName = (typeof CALL_NAMES)[number];

export const EVENT_NAMES = [
  'session',
  'settings',
  'feed',
  'clock',
  'drift',
  'intent',
  'batch',
  'sync',
  'export',
  'notice',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

/** IPC channel of a call or event; nothing else is listened to. */
export const callChannel = (name: CallName): string => `ballast:call:${name}`;
export const eventChannel = (name: EventName): string => `ballast:event:${name}`;
