import { statSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * Reports whether two paths lead to one file: on macOS and Windows also in another case, anywhere through a link. Throws
 * the system's error where that cannot be found out.
 */
export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return a === undefined || b === undefined
    ? resolve(one) === resolve(other)
    : a.dev === b.dev && a.ino === b.ino;
}
