import type { Failure } from '../../src-shared/ipc/failures.ts';

/** Returns the data of a call that must have succeeded; throws the message of its failure. */
export function dataOf<T>(
  result: { readonly ok: true; readonly data: T } | { readonly ok: false; readonly failure: Failure },
): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.data;
}
