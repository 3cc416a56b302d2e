/** Moves an archive aside that turned out to belong to another account, once its connection is closed. */
import { moveAside } from '../archive/sqlite/database-files.ts';

/** Moves the file and returns what happened and what to do. `now` is wall clock in ms. */
export function moveAsideAsOther(file: string, now: number): [message: string, next: string] {
  try {
    const path = moveAside(file, 'other-account', now);
    return [
      `The archive belongs to another user id than this account. It was moved to ${path}.`,
      'A new archive is being downloaded from the exchange. Check the API key if you did not expect another account.',
    ];
  } catch {
    return [
      `The archive ${file} belongs to another user id than this account and could not be moved.`,
      'Move it to another folder, then open the connection again.',
    ];
  }
}
