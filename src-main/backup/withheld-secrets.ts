/** Finds restored connections that may not use a stored secret: an untrusted backup could send it to any address. */
import type { ConnectionSettings } from '../../src-shared/ipc/connections.ts';
import type { StoredSession } from '../session/stored.ts';

/** Returns the ids of connections whose address or signing differs from the present one, or that are unknown here. */
export const idsToWithhold = (
  restored: StoredSession['connections'],
  present: (id: string) => ConnectionSettings | null,
): readonly string[] =>
  restored
    .filter(({ id, settings }) => {
      const now = present(id);
      return now === null || placeOf(now) !== placeOf(settings);
    })
    .map(({ id }) => id);

const placeOf = ({ baseUrl, signing }: ConnectionSettings): string => JSON.stringify([baseUrl, signing]);
