/** Keeps a restored connection from using a secret that was stored for another address. */
import type { ConnectionSettings } from '../../src-shared/ipc/connections.ts';
import { done, type Result } from '../../src-shared/ipc/failures.ts';
import type { StoredSession } from '../session/stored.ts';

interface Deps {
  /** Returns the settings of a present connection. */
  readonly present: (id: string) => ConnectionSettings | null;
  /** Removes a stored secret; done if there is none. */
  readonly forget: (id: string) => Promise<Result<null>>;
}

/**
 * Removes the stored secret of each id that the backup gives another address or way of signing than it has here. A file
 * of unknown origin could otherwise have it sent anywhere. Fails with the keychain's failure.
 */
export async function releaseSecrets(
  connections: StoredSession['connections'],
  { present, forget }: Deps,
): Promise<Result<null>> {
  for (const { id, settings } of connections) {
    const now = present(id);
    if (now !== null && placeOf(now) === placeOf(settings)) continue;
    const forgotten = await forget(id);
    if (!forgotten.ok) return forgotten;
  }
  return done(null);
}

const placeOf = ({ baseUrl, signing }: ConnectionSettings): string => JSON.stringify([baseUrl, signing]);
