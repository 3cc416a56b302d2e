import type { Failure } from '../../src-shared/ipc/failures.ts';

/** A failure as one line: its code, unless the message tells it, what happened, the way out. */
export function failureText(failure: Failure): string {
  const { code, message, next } = failure;
  const told = code === undefined || message.includes(`code ${code}`);
  return `${told ? '' : `Code ${code}. `}${message} ${next}`;
}
