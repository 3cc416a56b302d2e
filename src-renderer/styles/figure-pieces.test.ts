import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('has no style that the pieces of a figure, elements i without a style of their own, would take on', () => {
  const folder = new URL('./', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.css'));
  const selectors = files.flatMap((name) => {
    const css = readFileSync(new URL(name, folder), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
    return [...css.matchAll(/([^{};]+)\{/g)].flatMap(([, list = '']) =>
      list.split(',').map((one) => one.trim()),
    );
  });
  expect(selectors.length).toBeGreaterThan(100);
  expect(selectors.filter((one) => /[^>+~\s] +i$/.test(one))).toEqual([]);
});
