/** Which restored connections may not use a secret stored before: a file of unknown origin could have it sent anywhere. */
import type { ConnectionSettings } from '../../src-shared/ipc/connections.ts';
import type { StoredSession } from '../session/stored.ts';

/** Returns the ids that have another address or way of signing in the backup than here, or are unknown here. */
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
