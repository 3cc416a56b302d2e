/** Tests unsaved connection settings with a temporary client. */
import type { ConnectionSettings, SecretInput, TestStep } from '../../src-shared/ipc/connections.ts';
import { testConnection } from '../exchange/test-connection.ts';
import { clientOf, type DepsPorts } from './connection-deps.ts';

export const draftTest =
  (ports: Pick<DepsPorts, 'clock' | 'redact' | 'limitOf'>) =>
  async (settings: ConnectionSettings, secret: SecretInput): Promise<readonly TestStep[]> => {
    // As with Retry, the user overrides the backoff; `Retry-After` still applies.
    ports.limitOf(settings.baseUrl).resume();
    const client = clientOf(settings, secret, ports);
    try {
      return await testConnection(client, settings.pageSize);
    } finally {
      await client.close();
    }
  };
