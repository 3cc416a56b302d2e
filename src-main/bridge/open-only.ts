/** Restricts calls to the open connection: the window may still request data of the one it just left. */
import type { Result } from '../../src-shared/ipc/failures.ts';
import { notOpen } from '../session/failures.ts';
import type { LiveConnection, TradeHistory } from '../session/live-connection.ts';
import type { Session } from '../session/session.ts';

export type OpenSession = Pick<Session<LiveConnection>, 'current' | 'opened'>;

/** Runs `use` on the connection if it is the open one. */
export async function withOpen<T>(
  session: OpenSession,
  id: string,
  use: (open: LiveConnection) => Promise<Result<T>>,
): Promise<Result<T>> {
  const open = await session.opened();
  return open?.id === id ? use(open) : notOpen();
}

/** Runs `use` on its archive, which may have failed to open while the connection works. */
export const withArchive = <T>(
  session: OpenSession,
  id: string,
  use: (history: TradeHistory) => Promise<Result<T>>,
): Promise<Result<T>> =>
  withOpen(session, id, async ({ history }) => {
    const opened = await history;
    return opened.ok ? use(opened.data) : opened;
  });
