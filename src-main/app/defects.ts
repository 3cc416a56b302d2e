/**
 * Errors of the main process that nothing caught. Electron goes on after one, in a state nobody planned: trading is
 * locked, the log gets the error's class (its text may carry a key), and the user is notified what to do.
 */
import type { OpenConnection, Session } from '../session/session-types.ts';
import type { Log } from './log.ts';

export interface DefectPorts {
  readonly log: Pick<Log, 'write'>;
  readonly notify: (message: string, next: string) => void;
}

export interface Defects {
  /** Whether there was one in this run. */
  seen(): boolean;
  /** From now on each defect locks trading in this session. */
  lockBy(session: Pick<Session<OpenConnection>, 'locked' | 'setLock'>): void;
}

/** `errors` is the main process; a test has an emitter of its own. */
export function watchDefects(
  { log, notify }: DefectPorts,
  errors: Pick<NodeJS.EventEmitter, 'on'> = process,
): Defects {
  let count = 0;
  /** False when there was nothing to lock, or it was locked before. */
  let lock = (): boolean => false;

  function defect(kind: 'uncaught' | 'rejection', error: unknown): void {
    count++;
    log.write('defect', { kind, error: error instanceof Error ? error.name : 'unknown' });
    const locks = lock();
    if (!locks && count > 1) return;
    notify(
      'Unexpected error. Trading is locked.',
      'Orders already sent are in the journal; nothing is sent again. Restart Ballast. If it happens again, save diagnostics (Help menu) and report it.',
    );
  }
  errors.on('uncaughtException', (error: unknown) => defect('uncaught', error));
  errors.on('unhandledRejection', (reason: unknown) => defect('rejection', reason));

  return {
    seen: () => count > 0,
    lockBy(session) {
      lock = () => {
        if (session.locked()) return false;
        void session.setLock('orders');
        return true;
      };
    },
  };
}
