/** Creates the portfolio of a session, with the services that its connections use. */
import type { SecretStore } from '../session/session-types.ts';
import type { ConnectionServices, LiveConnection } from '../session/live-connection.ts';
import type { Session } from '../session/session.ts';
import type { EquityArchive } from './account-reader.ts';
import { Portfolio, type PortfolioPorts } from './portfolio.ts';
import { readsOf } from './read-client.ts';

interface SessionPortfolioPorts extends Pick<PortfolioPorts, 'ready' | 'changed' | 'read'> {
  readonly session: Session<LiveConnection>;
  readonly secrets: SecretStore;
  readonly connection: Pick<
    ConnectionServices,
    'client' | 'openArchive' | 'limitOf' | 'clock' | 'timers' | 'notice'
  >;
}

export function portfolioForSession({ session, connection, ...ports }: SessionPortfolioPorts): Portfolio {
  const { clock, timers, limitOf, notice } = connection;
  return new Portfolio({
    ...ports,
    clock,
    timers,
    limitOf,
    connections: () => ({
      all: session.state().connections,
      inUse: [session.state().activeId, session.current()?.id],
      locked: session.unloadsSecrets(),
    }),
    client: (summary, secret) => readsOf(connection.client(summary, secret, () => undefined)),
    async archive(summary): Promise<EquityArchive | null> {
      try {
        const opened = await connection.openArchive(summary);
        if (!opened.ok) return null;
        const { movedAside } = opened.data;
        if (movedAside !== null)
          notice(movedAside.message, 'Open the connection to download a new one from the exchange.');
        return opened.data;
      } catch {
        // The account is read without an archive. Opening the connection shows why.
        return null;
      }
    },
  });
}
