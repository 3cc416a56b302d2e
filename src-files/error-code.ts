/** Returns an error's code, such as ENOSPC; '' without one. Texts and logs use it: a message may contain a path. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
