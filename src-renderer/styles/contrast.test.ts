/** Contrast of text with its background by WCAG 2.2, in both themes and all three palettes of profit and loss. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
const THEMES = ['dark', 'light'] as const;
const PALETTES = ['green-up', 'red-up', 'blue-orange'] as const;
const GROUNDS = ['s1', 's2', 's3', 'bg', 'row-hover', 'row-sel', 'field'] as const;
const TEXTS = [
  't1',
  't2',
  't3',
  'accent',
  'practice',
  'ok',
  'warn',
  'danger',
  'unknown',
  'stale',
  'up',
  'down',
];
/** Text on a filled background: text token, background token. */
const FILLED = [
  ['accent-on', 'accent-fill'],
  ['live-on', 'live'],
  ['up-down-on', 'up-fill'],
  ['up-down-on', 'down-fill'],
] as const;
/** Weak tones used as backgrounds for text of the same tone, over a pane. */
const WASHED = ['accent', 'practice', 'warn', 'danger', 'unknown', 'up', 'down'] as const;

type Rgb = readonly [number, number, number];

/** Returns the tokens in force, resolved like the cascade: in order, with the more specific selector last. */
function tokens(theme: string, palette: string): ReadonlyMap<string, string> {
  const rules: { specificity: number; body: string }[] = [];
  for (const [, selectors = '', body = ''] of css.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    for (const selector of selectors.split(',').map((one) => one.trim())) {
      const attributes = [...selector.matchAll(/\[data-(theme|pnl)='([^']+)'\]/g)];
      const holds = attributes.every(([, name, value]) => value === (name === 'theme' ? theme : palette));
      const isRoot = selector === ':root';
      if ((!isRoot && attributes.length === 0) || !holds || selector.includes(' ')) continue;
      rules.push({ specificity: isRoot ? 1 : attributes.length, body });
    }
  }
  const found = new Map<string, string>();
  for (const { body } of rules.sort((a, b) => a.specificity - b.specificity))
    for (const [, name = '', value = ''] of body.matchAll(/--([\w-]+):\s*([^;]+);/g))
      found.set(name, value.trim());
  return found;
}

function rgb(hex: string): readonly [...Rgb, alpha: number] {
  const short = /^#[\da-f]{3}$/i.test(hex);
  const digits = short ? hex.slice(1).replaceAll(/./g, '$&$&') : hex.slice(1);
  if (!/^([\da-f]{2}){3,4}$/i.test(digits)) throw new Error(`not a colour: ${hex}`);
  const part = (at: number): number => Number.parseInt(digits.slice(at, at + 2), 16);
  return [part(0), part(2), part(4), digits.length === 8 ? part(6) / 255 : 1];
}
const over = ([r, g, b, alpha]: readonly [...Rgb, number], [r2, g2, b2]: readonly number[]): Rgb => {
  const mixed = (top: number, under = 0): number => top * alpha + under * (1 - alpha);
  return [mixed(r, r2), mixed(g, g2), mixed(b, b2)];
};
function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(text: Rgb, ground: Rgb): number {
  const [low, high] = [luminance(text), luminance(ground)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

describe.each(THEMES)('%s', (theme) => {
  it.each(PALETTES)('%s: every text is at least 4.5 : 1 on every ground', (palette) => {
    const of = tokens(theme, palette);
    const colour = (name: string): readonly [...Rgb, number] => {
      const value = of.get(name);
      if (value === undefined) throw new Error(`no token --${name}`);
      return rgb(value);
    };
    const solid = (name: string): Rgb => over(colour(name), [0, 0, 0]);
    const faint: string[] = [];
    const measure = (what: string, text: Rgb, ground: Rgb): void => {
      const ratio = contrast(text, ground);
      if (ratio < 4.5) faint.push(`${what}: ${ratio.toFixed(2)}`);
    };
    for (const text of TEXTS)
      for (const ground of GROUNDS) measure(`${text} on ${ground}`, solid(text), solid(ground));
    for (const [text, ground] of FILLED) measure(`${text} on ${ground}`, solid(text), solid(ground));
    for (const tone of WASHED)
      measure(`${tone} on ${tone}-weak`, solid(tone), over(colour(`${tone}-weak`), solid('s1')));
    measure('axis on s1', solid('axis'), solid('s1'));
    expect(faint).toEqual([]);
  });
});

it('resolves tokens like a browser’s cascade', () => {
  expect(tokens('light', 'blue-orange').get('warn')).toBe('#6d5b00');
  expect(tokens('dark', 'red-up').get('up')).toBe(tokens('dark', 'green-up').get('down'));
});
