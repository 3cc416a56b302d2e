/**
 * Screen readers announce the name only of an element with a role: a plain `div` or `span` loses it (ARIA 1.3,
 * prohibited naming).
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'svelte/compiler';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const WITHOUT_ROLE = new Set(['div', 'span', 'p', 'i', 'b', 'code', 'dd', 'dt']);
const NAMES = new Set(['aria-label', 'aria-labelledby']);

interface Node {
  readonly type: string;
  readonly name?: string;
  readonly attributes?: readonly Node[];
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* nodesOf(one);
  else if (isNode(value)) {
    yield value;
    for (const part of Object.values(value)) yield* nodesOf(part);
  } else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) yield* nodesOf(part);
}

function namedWithoutRole(source: string): string[] {
  const { fragment } = parse(source, { modern: true });
  return [...nodesOf(fragment)].flatMap((node) => {
    if (node.type !== 'RegularElement' || !WITHOUT_ROLE.has(node.name ?? '')) return [];
    const names = (node.attributes ?? []).map((one) => one.name ?? '');
    return names.some((one) => NAMES.has(one)) && !names.includes('role') ? [node.name ?? ''] : [];
  });
}

test('every element with an accessible name has a role', () => {
  expect(namedWithoutRole('<div>{#if true}<span aria-label="Lost">x</span>{/if}</div>')).toEqual(['span']);
  const files = globSync('**/*.svelte', { cwd: ROOT });
  const found = files.flatMap((file) =>
    namedWithoutRole(readFileSync(join(ROOT, file), 'utf8')).map((element) => `${file}: ${element}`),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});
