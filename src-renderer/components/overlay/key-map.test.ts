/** Compares the sheet of shortcuts with the source: every handled key is listed, every listed key is handled. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { capsOf, KEY_MAP } from './key-map.ts';

const ROOM = join(import.meta.dirname, '../..');
/** Keys of more than one letter, as the sheet writes them. */
const CAPS: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Home: 'Home',
  End: 'End',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Enter: 'Enter',
  Escape: 'Esc',
  F2: 'F2',
  F8: 'F8',
  F9: 'F9',
  F10: 'F10',
};
const SIGNS: Readonly<Record<string, string>> = { ' ': 'Space', '-': '−', '=': '+' };
/** Handled by the browser, or matched by position among the digits (shortcuts.ts, ticket/keys.ts). */
const NOT_BY_NAME = ['Tab', 'Shift', 'Ctrl', 'Alt', '1–7', '1–5', '1–4'];

/** Returns the caps of every key that the window's source compares with. */
function handled(): Set<string> {
  const found = new Set<string>();
  for (const file of globSync('{frame,features,components}/**/*.{ts,svelte}', { cwd: ROOM })) {
    if (/\.test\.ts$|key-map\.ts$/.test(file)) continue;
    const source = readFileSync(join(ROOM, file), 'utf8');
    for (const [name] of source.matchAll(
      /\b(?:Arrow(?:Up|Down|Left|Right)|Home|End|Page(?:Up|Down)|Escape|F\d{1,2})\b/g,
    ))
      if (name in CAPS || /^F\d/.test(name)) found.add(CAPS[name] ?? name);
    for (const [, sign = ''] of source.matchAll(/\b(?:key|letterOf\(event\))\s*[!=]==\s*'(.|Enter)'/g))
      found.add(SIGNS[sign] ?? CAPS[sign] ?? sign.toUpperCase());
    for (const [, letter = ''] of source.matchAll(/case '([a-z])':/g)) found.add(letter.toUpperCase());
  }
  return found;
}
const listed = new Set(KEY_MAP.flatMap(({ keys }) => keys.flatMap(([text]) => capsOf(text, 'Ctrl').flat())));

describe('the sheet of keyboard shortcuts', () => {
  it('lists every key the window handles', () => {
    const keys = handled();
    expect(keys.size).toBeGreaterThan(20);
    expect([...keys].filter((one) => !listed.has(one)).sort()).toEqual([]);
  });

  it('lists nothing the window does not handle', () => {
    const keys = handled();
    expect([...listed].filter((one) => !keys.has(one) && !NOT_BY_NAME.includes(one)).sort()).toEqual([]);
  });

  it('lists a key once per group', () => {
    for (const { title, keys } of KEY_MAP) {
      const texts = keys.map(([text]) => text);
      expect(new Set(texts).size, title).toBe(texts.length);
    }
  });
});
