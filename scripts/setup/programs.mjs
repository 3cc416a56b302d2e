import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * @param {string} name
 * @returns {boolean} whether the PATH has such a program; names without ending, so on Windows none is found
 */
export const hasProgram = (name) =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && existsSync(join(folder, name)));

/** @returns {boolean} whether windows have somewhere to be; on macOS and Windows they always do */
export const hasDisplay = () =>
  process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
