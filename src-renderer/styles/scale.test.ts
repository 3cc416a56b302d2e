/** All font sizes come from the scale, since sizes of their own are how screens drift apart. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOM = join(import.meta.dirname, '..');
/** The exceptions: the send buttons of the design, a mark inside a tag, the small decimals of a large figure. */
const OWN = /font-size: (?:0\.66em|14px|8px)/;

it('every font size is one of the scale', () => {
  const files = globSync('**/*.{svelte,css}', { cwd: ROOM }).filter((name) => !name.endsWith('tokens.css'));
  expect(files.length).toBeGreaterThan(100);
  const lines = files.flatMap((name) =>
    readFileSync(join(ROOM, name), 'utf8')
      .split('\n')
      .filter((line) => /^\s*font(?:-size)?: (?:\d{3} )?[\d.]+(?:px|em|rem)/.test(line) && !OWN.test(line))
      .map((line) => `${name}: ${line.trim()}`),
  );
  expect(lines).toEqual([]);
});
