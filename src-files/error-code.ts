/** Returns an error's code, such as ENOSPC; '' without one. Texts and logs use it: a message may contain a path. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Returns an error's name, such as TypeError, for a log or a message; a defect may throw anything. */
export const errorName = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');
