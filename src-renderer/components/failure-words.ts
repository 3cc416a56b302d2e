import type { Failure } from '../../src-shared/contract/failures.ts';

/** A failure as one line: its code, what happened, the way out. */
export function wordsOf(failure: Failure): string {
  const code = failure.code === undefined ? '' : `Code ${failure.code}. `;
  return `${code}${failure.message} ${failure.next}`;
}
