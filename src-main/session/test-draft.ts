/** Tests unsaved connection settings with a temporary client. */
import type { ConnectionSettings, SecretInput, TestStep } from '../../src-shared/ipc/connections.ts';
import { testConnection } from '../exchange/test-connection.ts';
import { type ClientServices, connectionClient } from './connection-client.ts';

export const draftTest =
  (services: ClientServices) =>
  async (settings: ConnectionSettings, secret: SecretInput): Promise<readonly TestStep[]> => {
    // As with Retry, the user overrides the backoff; `Retry-After` still applies.
    services.limitOf(settings.baseUrl).resume();
    const client = connectionClient(settings, secret, services);
    try {
      return await testConnection(client, settings.pageSize);
    } finally {
      await client.close();
    }
  };
