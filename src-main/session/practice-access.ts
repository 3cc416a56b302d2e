/** Calls the practice exchange's controls. A reset starts another exchange, so its connection is reopened. */
import { blocked, blockedFailure, failed, type Result } from '../../src-shared/ipc/failures.ts';
import type { PracticeChange, PracticeState } from '../../src-shared/ipc/practice.ts';
import type { ControlAccess } from '../practice/controls.ts';
import type { PracticeSource } from './practice-source.ts';
import { PRACTICE_ID } from './stored.ts';

/** The part of the session a reset affects. */
interface ReopenedSession {
  current(): { readonly id: string } | null;
  reopen(): Promise<void>;
}

/** Calls the controls if their address is known. */
export async function withControls<T>(
  practice: PracticeSource,
  ask: (access: ControlAccess) => Promise<Result<T>>,
): Promise<Result<T>> {
  const known = practice.known();
  if (known === null) return blocked('The practice exchange is not running.', 'Switch to Practice first.');
  if (known.controls === null)
    return blocked(
      'This practice exchange was started manually, without its control address.',
      'Start Ballast with the full line it printed, or control it where it runs.',
    );
  return ask(known.controls);
}

/** Returns the exchange's state, reopening its connection if it is another exchange than before. */
export async function followed(
  practice: PracticeSource,
  session: ReopenedSession,
  ask: (access: ControlAccess) => Promise<Result<PracticeState>>,
): Promise<Result<PracticeState>> {
  const result = await withControls(practice, ask);
  const known = practice.known();
  if (result.ok && known?.own === true && result.data.exchangeId !== known.exchangeId) {
    practice.renewed(result.data.exchangeId, result.data.settings);
    if (session.current()?.id === PRACTICE_ID) await session.reopen();
  }
  return result;
}

/** Applies a change made by the user. */
export function changed(
  practice: PracticeSource,
  session: ReopenedSession,
  change: PracticeChange,
  ask: (access: ControlAccess) => Promise<Result<PracticeState>>,
): Promise<Result<PracticeState>> {
  // A reset with other habits restarts the process, which the app cannot do for one it did not start.
  const restarts = change.do === 'reset' && change.habits !== undefined;
  return restarts && practice.known()?.own === false
    ? Promise.resolve(failed(STARTED_MANUALLY))
    : followed(practice, session, ask);
}

const STARTED_MANUALLY = blockedFailure(
  'This practice exchange was started manually, with its own habits.',
  'Start it again with --habit NAME=VALUE or --habits FILE.',
);
