/** Connections for tests, with only a test's changes: signed as the practice exchange, nothing assumed. */
import type { ConnectionSettings, ConnectionSummary } from '../../src-shared/ipc/connections.ts';
import { SIGNING_PRESETS } from '../../src-shared/ipc/signing.ts';

export const connectionSettings = (change: Partial<ConnectionSettings> = {}): ConnectionSettings => ({
  name: 'Meridian main',
  baseUrl: 'https://api.meridian.example',
  apiKey: 'mk_7f2c',
  signing: SIGNING_PRESETS.practice.profile,
  pageUrl: null,
  triggerTypes: [],
  refusalCodes: [],
  reverseQuantity: 'unset',
  convention: 'flat',
  readOnly: false,
  ...change,
});

export const connectionSummary = (
  id: string,
  settings: Partial<ConnectionSettings> = {},
  more: Partial<ConnectionSummary> = {},
): ConnectionSummary => ({
  id,
  kind: id === 'practice' ? 'practice' : 'live',
  secret: 'stored',
  verified: true,
  createdAt: 0,
  settings: connectionSettings(settings),
  ...more,
});
