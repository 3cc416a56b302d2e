import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * @param {string} name
 * @returns {boolean} whether the PATH has such a program
 */
export const hasProgram = (name) =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && existsSync(join(folder, name)));
