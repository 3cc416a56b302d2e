/** Moves an archive aside that turned out to belong to another account, once its connection is closed. */
import { moveAside } from '../archive/sqlite/database-files.ts';

/** Moves the file and returns what happened and what to do. `now` is wall clock in ms. */
export function setAsideAsOther(file: string, now: number): [message: string, next: string] {
  try {
    const path = moveAside(file, 'other-account', now);
    return [
      `The account shows another user id than the archive, which is kept as ${path}.`,
      'A new archive is filled from the exchange. Check the key if you did not expect another account.',
    ];
  } catch {
    return [
      `The account shows another user id than the archive ${file}, which could not be set aside.`,
      'Move it out of its folder, then open the connection again: its trades are not this account’s.',
    ];
  }
}
