/** Settings of a connection for tests, with only a test's changes: signed as the practice exchange, nothing assumed. */
import type { ConnectionSettings } from '../../src-shared/ipc/connections.ts';
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
