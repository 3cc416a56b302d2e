/** Asks the practice exchange's controls; a reset begins another exchange, which is opened anew. */
import { denied, failed, type Result } from '../../src-shared/contract/failures.ts';
import type { PracticeState } from '../../src-shared/contract/practice.ts';
import type { ControlAccess } from '../practice/controls.ts';
import type { PracticeSource } from './practice-source.ts';
import { PRACTICE_ID } from './stored.ts';

/** What a reset reaches of the session. */
interface ReopenedSession {
  current(): { readonly id: string } | null;
  reopen(): Promise<void>;
}

export async function withControls(
  practice: PracticeSource,
  session: ReopenedSession,
  ask: (access: ControlAccess) => Promise<Result<PracticeState>>,
): Promise<Result<PracticeState>> {
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
  const answer = await ask(known.controls);
  if (answer.ok && answer.data.exchangeId !== known.exchangeId && known.own) {
    practice.renewed(answer.data.exchangeId);
    if (session.current()?.id === PRACTICE_ID) await session.reopen();
  }
  return answer;
}
