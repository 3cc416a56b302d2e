import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * @param {string} name
 * @returns {boolean} whether the PATH has such a program; names have no extension, so on Windows none is found
 */
export const hasProgram = (name) =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && existsSync(join(folder, name)));

/** @returns {boolean} whether windows can be shown; always true on macOS and Windows */
export const hasDisplay = () =>
  process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
