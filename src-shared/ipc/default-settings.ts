/** The settings before the user changes any, apart from the schemas, which the first screen does not need. */
import type { AlertRules } from '../domain/alerts/rules.ts';
import type { AlertSettings } from './alerts.ts';
import type { Settings } from './settings.ts';
import type { TaxSettings } from './tax-settings.ts';
import { TRADE_COLUMNS } from './trades.ts';

export const DEFAULT_ALERTS: AlertSettings = {
  rules: {
    liquidated: { on: true, desktop: true },
    'liquidation-danger': { on: true, threshold: '5', band: '1', repeatMinutes: 5, desktop: true },
    liquidation: { on: true, threshold: '10', band: '2', repeatMinutes: 30, desktop: true },
    'margin-danger': { on: true, threshold: '80', band: '5', repeatMinutes: 5, desktop: true },
    margin: { on: true, threshold: '50', band: '5', repeatMinutes: 30, desktop: true },
    unknown: { on: true, repeatMinutes: 15, desktop: true },
    stale: { on: true, afterSeconds: 60, repeatMinutes: 30, desktop: true },
    equity: { on: true, threshold: '10', band: '2', windowMinutes: 60, repeatMinutes: 60, desktop: true },
    delivered: { on: true, desktop: true },
    fills: { on: true, repeatMinutes: 1, desktop: true },
  } satisfies AlertRules,
  quietHours: { on: false, from: '22:00', to: '07:00' },
  desktop: true,
  sound: false,
};

export const DEFAULT_TAX: TaxSettings = { koinlyHeader: 'Tag', rotkiAssets: {} };

export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  pnlColours: 'green-up',
  density: 'compact',
  timeZone: 'UTC',
  grouping: 'comma',
  decimalMark: 'point',
  dateFormat: 'iso',
  sizeUnit: 'coin',
  precision: 'cut',
  privacy: false,
  zoom: 100,
  seenVersion: null,
  checkForUpdates: false,
  keepRunning: false,
  startLocked: false,
  unloadSecretOnLock: false,
  limits: {
    priceDeviationPercent: '10',
    notional: null,
    equitySharePercent: null,
    referenceAgeSeconds: 60,
  },
  ticketOpen: true,
  ticketWide: false,
  ticketNarrow: false,
  contracts: {},
  alerts: DEFAULT_ALERTS,
  risk: { divergencePercent: '0.1', betas: {} },
  tradeLog: { columns: [...TRADE_COLUMNS], filters: [] },
  tax: DEFAULT_TAX,
  portfolio: { unit: 'USDT', rates: {} },
};
