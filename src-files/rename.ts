/** Renames that wait on Windows while another program holds one of the files. */
import { renameSync as renameOnce } from 'node:fs';
import { waiting, waitingSync, whileHeld, whileHeldSync, type Waiting } from './held.ts';

/** The system call of a rename; tests inject one that fails. */
export type RenameSystem<P> = Waiting<P> & { readonly rename: (from: string, to: string) => void };

/** Moves `from` over `to`. Rejects with the system's error. */
export const rename = (
  from: string,
  to: string,
  on: RenameSystem<Promise<unknown>> = { ...waiting, rename: renameOnce },
): Promise<void> => whileHeld(() => on.rename(from, to), on);

/** Renames synchronously. Throws the system's error. */
export const renameSync = (
  from: string,
  to: string,
  on: RenameSystem<unknown> = { ...waitingSync, rename: renameOnce },
): void => whileHeldSync(() => on.rename(from, to), on);
