/** Removes what may be missing. Waits on Windows while another program holds it. */
import { rmSync, type RmOptions } from 'node:fs';
import { rm } from 'node:fs/promises';
import { waiting, waitingSync, whileHeld, whileHeldSync, type Waiting } from './held.ts';

/** The system call of a removal; tests inject one that fails. */
export type RemoveSystem<P, R> = Waiting<P> & { readonly rm: (path: string, options: RmOptions) => R };
/** A folder is removed with what is in it only if that is asked for. */
type What = Pick<RmOptions, 'recursive'>;

/** Rejects with the system's error. */
export const remove = (
  path: string,
  what: What = {},
  on: RemoveSystem<Promise<unknown>, void | Promise<void>> = { ...waiting, rm },
): Promise<void> => whileHeld(() => on.rm(path, { ...what, force: true }), on);

/** Does the same synchronously. Throws the system's error. */
export const removeSync = (
  path: string,
  what: What = {},
  on: RemoveSystem<unknown, void> = { ...waitingSync, rm: rmSync },
): void => whileHeldSync(() => on.rm(path, { ...what, force: true }), on);
