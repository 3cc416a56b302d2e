/** Tests a connection by settings and secret that are not saved: a client of its own, closed at the end. */
import type { ConnectionSettings, SecretInput, TestStep } from '../../src-shared/ipc/connections.ts';
import { testConnection } from '../exchange/test-connection.ts';
import { clientOf, type PartsPorts } from './connection-deps.ts';

export const draftTest =
  (ports: Pick<PartsPorts, 'clock' | 'redact' | 'limitOf'>) =>
  async (settings: ConnectionSettings, secret: SecretInput): Promise<readonly TestStep[]> => {
    // The user asks by hand, as with Retry; what `Retry-After` said still holds.
    ports.limitOf(settings.baseUrl).resume();
    const client = clientOf(settings, secret, ports);
    try {
      return await testConnection(client, settings.pageSize);
    } finally {
      await client.close();
    }
  };
