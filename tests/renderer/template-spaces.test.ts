import { globSync, readFileSync } from 'node:fs';
import { parse, type AST } from 'svelte/compiler';
import { expect, it } from 'vitest';

type Node = AST.Fragment['nodes'][number];

/** Fragments below a node, its own among them. */
function fragmentsOf(value: unknown): readonly AST.Fragment[] {
  if (value === null || typeof value !== 'object') return [];
  const below = Object.values(value).flatMap(fragmentsOf);
  return 'type' in value && value.type === 'Fragment' ? [value as AST.Fragment, ...below] : below;
}
const opens = (node: Node): readonly (Node | undefined)[] =>
  node.type === 'IfBlock' ? [node.consequent.nodes[0], node.alternate?.nodes[0]] : [];
const isJoined = (node: Node | undefined): boolean =>
  node?.type === 'ExpressionTag' ||
  node?.type === 'IfBlock' ||
  (node?.type === 'Text' && /\S$/.test(node.data));

it('starts no block in a line of text with a space, which Svelte drops', () => {
  const files = globSync('src-renderer/**/*.svelte').map((path) => ({
    path,
    source: readFileSync(path, 'utf8'),
  }));
  // Parsing all of them takes seconds.
  const suspects = files.filter(({ source }) => /\S\{#if/.test(source));
  expect(files.length).toBeGreaterThan(suspects.length);
  const lost = suspects.flatMap(({ path, source }) =>
    fragmentsOf(parse(source, { modern: true }).fragment).flatMap(({ nodes }) =>
      nodes.flatMap((node, index) => {
        const texts = opens(node).filter((one) => one?.type === 'Text' && /^\s+\S/.test(one.data));
        return texts.length > 0 && isJoined(nodes[index - 1]) ? [`${path}: ${JSON.stringify(texts[0])}`] : [];
      }),
    ),
  );
  expect(lost).toEqual([]);
});
