/** Builds what the handlers return, for the open connection only: the window may still request data of the one it left. */
import { done, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
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

/**
 * Runs `use` on the connection if it is the open one. That may be opened anew meanwhile, as when its secret comes late:
 * after a failure that may come of its closing, `use` is run again on the new one.
 */
export async function withOpen<T>(
  session: OpenSession,
  id: string,
  use: (open: LiveConnection) => Promise<Result<T>>,
  mayComeOfClosing: (failure: Failure) => boolean = () => false,
): Promise<Result<T>> {
  const open = await session.opened();
  if (open?.id !== id) return notOpen();
  const result = await use(open);
  const isReopened = !result.ok && mayComeOfClosing(result.failure) && session.current() !== open;
  return isReopened ? withOpen(session, id, use, mayComeOfClosing) : result;
}

/** Runs `use` on its archive, which may have failed to open while the connection works. */
export const withArchive = <T>(
  session: OpenSession,
  id: string,
  use: (history: TradeHistory, open: LiveConnection) => Promise<Result<T>>,
): Promise<Result<T>> =>
  withOpen(
    session,
    id,
    async (open) => {
      const opened = await open.history;
      return opened.ok ? use(opened.data, open) : opened;
    },
    (failure) => failure === ARCHIVE_CLOSED,
  );

/** Returns a function that makes handlers, which use the archive of the connection their input names. */
export const archiveHandler =
  (session: OpenSession) =>
  <I extends { readonly connectionId: string }, T>(
    use: (history: TradeHistory, input: I, open: LiveConnection) => Promise<Result<T>>,
  ) =>
  (input: I): Promise<Result<T>> =>
    withArchive(session, input.connectionId, (history, open) => use(history, input, open));
