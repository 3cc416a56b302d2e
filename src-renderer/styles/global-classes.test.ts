/** A component's global class styles no other component, whose look would depend on which screens were loaded. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const RENDERER = join(import.meta.dirname, '..');

it('begins no global selector of a component with a class that another one has', () => {
  const files = globSync('**/*.svelte', { cwd: RENDERER }).map((name) => {
    const [markup = '', style = ''] = readFileSync(join(RENDERER, name), 'utf8').split('<style>');
    const lists = markup.matchAll(/\bclass(?:="([^"]*)|=\{([^}]*)|:([\w-]+))/g);
    return {
      name,
      classes: new Set([...lists].flatMap(([text]) => text.match(/[\w-]+/g) ?? [])),
      globals: [...style.matchAll(/^\s*:global\(\.([\w-]+)(?: [^)]*)?\)\s*\{/gm)].flatMap(
        ([, one]) => one ?? [],
      ),
    };
  });
  expect(files.flatMap(({ globals }) => globals).length).toBeGreaterThan(3);
  const shared = files.flatMap(({ name, globals }) =>
    globals.flatMap((one) =>
      files
        .filter((other) => other.name !== name && other.classes.has(one))
        .map((other) => `${name}: .${one}, ${other.name}`),
    ),
  );
  expect(shared).toEqual([]);
});
