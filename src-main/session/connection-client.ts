/** Creates the API client of a connection from its settings. */
import type { ConnectionSettings, SecretInput, TestStep } from '../../src-shared/ipc/connections.ts';
import { type ClientOptions, createClient, type ExchangeClient } from '../exchange/client.ts';
import type { RateLimit } from '../exchange/rate-limit.ts';
import { secretForms } from '../exchange/secret-forms.ts';
import { testConnection } from '../exchange/test-connection.ts';

export interface ClientServices extends Pick<ClientOptions, 'clock' | 'onDrift'> {
  /** Masks these texts in the log until the returned function is called. */
  readonly redact: (secrets: readonly string[]) => () => void;
  /** Returns the rate limit of the exchange at a base URL, shared by all callers. */
  readonly limitOf: (baseUrl: string) => RateLimit;
}

/** Its secret is masked in the log until it is closed. */
export function connectionClient(
  { baseUrl, apiKey, signing, refusalCodes }: ConnectionSettings,
  secret: SecretInput | null,
  { clock, redact, limitOf, onDrift }: ClientServices,
): ExchangeClient {
  const texts = [secret?.secret ?? '', ...Object.values(secret?.headers ?? {})];
  const unmask = redact(texts.flatMap(secretForms));
  const client = createClient({
    baseUrl,
    credentials: { key: apiKey, secret: secret?.secret ?? '', headers: secret?.headers ?? {} },
    signing,
    refusalCodes,
    clock,
    limit: limitOf(baseUrl),
    ...(onDrift === undefined ? {} : { onDrift }),
  });
  return {
    ...client,
    async close(because) {
      await client.close(because);
      unmask();
    },
  };
}

/** Tests unsaved settings with a temporary client. */
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
