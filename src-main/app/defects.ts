/**
 * Handles uncaught errors of the main process. State is undefined after one, so trading is locked and the user
 * notified. Only the error's class is logged: its text may contain the API key.
 */
import type { Session } from '../session/session.ts';
import type { OpenConnection } from '../session/session-types.ts';
import type { Log } from './log.ts';
import { errorName } from '../../src-files/error-code.ts';

export interface DefectPorts {
  readonly log: Pick<Log, 'write'>;
  readonly notify: (message: string, next: string) => void;
}

/** Watches `errors`: the process, or an emitter in tests. */
export function watchDefects(
  { log, notify }: DefectPorts,
  errors: Pick<NodeJS.EventEmitter, 'on'> = process,
) {
  let count = 0;
  /** Locks trading. Returns false if nothing was open or it was already locked. */
  let lock = (): boolean => false;

  function defect(kind: 'uncaught' | 'rejection', error: unknown): void {
    count++;
    log.write('defect', { kind, error: errorName(error) });
    const locks = lock();
    if (!locks && count > 1) return;
    notify(
      'Unexpected error. Trading is locked.',
      'Sent orders are in the journal and are not sent again. Restart Ballast. If this happens again, save diagnostics (Help menu) and report it.',
    );
  }
  errors.on('uncaughtException', (error: unknown) => defect('uncaught', error));
  errors.on('unhandledRejection', (reason: unknown) => defect('rejection', reason));

  return {
    /** Reports whether a defect occurred in this run. */
    seen: () => count > 0,
    /** Locks trading in this session at each later defect. */
    lockBy(session: Pick<Session<OpenConnection>, 'locked' | 'setLock'>): void {
      lock = () => {
        if (session.locked()) return false;
        void session.setLock('orders');
        return true;
      };
    },
  };
}
