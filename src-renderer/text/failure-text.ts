import type { Failure } from '../../src-shared/ipc/failures.ts';

/** Writes a failure in one line: its code, unless the message has it, what happened, what to do. */
export function failureText(failure: Failure): string {
  const { code, message, next } = failure;
  const hasCode = code === undefined || message.includes(`code ${code}`);
  return `${hasCode ? '' : `Code ${code}. `}${message} ${next}`;
}
