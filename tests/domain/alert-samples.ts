/** Alert rules as a user may set them, and an observation that triggers none. */
import type { AlertRules, Observation } from '../../src-shared/domain/alerts/rules.ts';
import { account, NOW, position } from './order-samples.ts';

export const SET: AlertRules = {
  liquidated: { on: true, desktop: true },
  delivered: { on: true, desktop: true },
  'liquidation-danger': { on: true, threshold: '5', band: '1', repeatMinutes: 5, desktop: true },
  liquidation: { on: true, threshold: '10', band: '2', repeatMinutes: 30, desktop: true },
  'margin-danger': { on: true, threshold: '80', band: '5', repeatMinutes: 5, desktop: true },
  margin: { on: true, threshold: '50', band: '5', repeatMinutes: 30, desktop: true },
  unknown: { on: true, repeatMinutes: 15, desktop: true },
  stale: { on: true, afterSeconds: 60, repeatMinutes: 30, desktop: true },
  equity: { on: true, threshold: '10', band: '2', windowMinutes: 60, repeatMinutes: 60, desktop: true },
  fills: { on: true, repeatMinutes: 1, desktop: true },
};

export const observation = (changes: Partial<Observation> = {}): Observation => ({
  now: NOW,
  account: { ...account([position()]), totalEquities: '1000' },
  accountOld: null,
  accountAgeMs: 0,
  accountSlackMs: 0,
  openOrders: [],
  history: [],
  unknown: [],
  ...changes,
});
