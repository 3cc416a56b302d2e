/** Asks the practice exchange's controls; a reset begins another exchange, which is opened anew. */
import { denied, failed, type Result } from '../../src-shared/ipc/failures.ts';
import type { PracticeChange, PracticeState } from '../../src-shared/ipc/practice.ts';
import type { ControlAccess } from '../practice/controls.ts';
import type { PracticeSource } from './practice-source.ts';
import { PRACTICE_ID } from './stored.ts';

/** What a reset reaches of the session. */
interface ReopenedSession {
  current(): { readonly id: string } | null;
  reopen(): Promise<void>;
}

/** Asks them, where they are known. */
export async function withControls<T>(
  practice: PracticeSource,
  ask: (access: ControlAccess) => Promise<Result<T>>,
): Promise<Result<T>> {
  const known = practice.known();
  if (known === null)
    return failed(denied('The practice exchange is not running.', 'Switch to Practice first.'));
  if (known.controls === null)
    return failed(
      denied(
        'This practice exchange was started by hand, and its controls were not told.',
        'Start Ballast with the whole line that it printed, or control it where it runs.',
      ),
    );
  return ask(known.controls);
}

/** The exchange's state; when it is another exchange than before, its connection is opened anew. */
export async function followed(
  practice: PracticeSource,
  session: ReopenedSession,
  ask: (access: ControlAccess) => Promise<Result<PracticeState>>,
): Promise<Result<PracticeState>> {
  const answer = await withControls(practice, ask);
  const known = practice.known();
  if (answer.ok && known?.own === true && answer.data.exchangeId !== known.exchangeId) {
    practice.renewed(answer.data.exchangeId, answer.data.settings);
    if (session.current()?.id === PRACTICE_ID) await session.reopen();
  }
  return answer;
}

/** A change made by the person. */
export function changed(
  practice: PracticeSource,
  session: ReopenedSession,
  change: PracticeChange,
  ask: (access: ControlAccess) => Promise<Result<PracticeState>>,
): Promise<Result<PracticeState>> {
  // What the app keeps of an exchange started by hand would not follow its restart with other habits.
  const restarts = change.do === 'reset' && change.habits !== undefined;
  return restarts && practice.known()?.own === false
    ? Promise.resolve(failed(STARTED_BY_HAND))
    : followed(practice, session, ask);
}

const STARTED_BY_HAND = denied(
  'This practice exchange was started by hand, with habits of its own.',
  'Start it again with --habit NAME=VALUE or --habits FILE.',
);
