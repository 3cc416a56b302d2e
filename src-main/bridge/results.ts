/** Builds what the handlers return, for the open connection only: the window may still request data of the one it left. */
import { done, type Result } from '../../src-shared/ipc/failures.ts';
import { ARCHIVE_CLOSED } from '../archive/worker-client.ts';
import { notOpen } from '../session/failures.ts';
import type { LiveConnection, TradeHistory } from '../session/live-connection.ts';
import type { Session } from '../session/session.ts';

export type OpenSession = Pick<Session<LiveConnection>, 'current' | 'opened'>;

/** Returns a value once it is there. */
export const returned = async <T>(value: T | Promise<T>): Promise<Result<T>> => done(await value);

/** Returns nothing once the work has ended. */
export async function ended(work: void | Promise<void>): Promise<Result<null>> {
  await work;
  return done(null);
}

/** Runs `use` on the connection if it is the open one. */
export async function withOpen<T>(
  session: OpenSession,
  id: string,
  use: (open: LiveConnection) => Promise<Result<T>>,
): Promise<Result<T>> {
  const open = await session.opened();
  return open?.id === id ? use(open) : notOpen();
}

/**
 * Runs `use` on its archive, which may have failed to open while the connection works. A connection may be opened anew
 * meanwhile, as when its secret comes late: `use` is then run again on its new archive.
 */
export const withArchive = <T>(
  session: OpenSession,
  id: string,
  use: (history: TradeHistory, open: LiveConnection) => Promise<Result<T>>,
): Promise<Result<T>> =>
  withOpen(session, id, async (open) => {
    const opened = await open.history;
    if (!opened.ok) return opened;
    const result = await use(opened.data, open);
    const isReopened = !result.ok && result.failure === ARCHIVE_CLOSED && session.current() !== open;
    return isReopened ? withArchive(session, id, use) : result;
  });

/** Returns a function that makes handlers, which use the archive of the connection their input names. */
export const archiveHandler =
  (session: OpenSession) =>
  <I extends { readonly connectionId: string }, T>(
    use: (history: TradeHistory, input: I, open: LiveConnection) => Promise<Result<T>>,
  ) =>
  (input: I): Promise<Result<T>> =>
    withArchive(session, input.connectionId, (history, open) => use(history, input, open));
