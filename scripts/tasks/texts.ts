// `npm run texts [FOLDER…]`: prints every text a user can read, by file and line, with `{…}` where a value is put in.
// Lists a few technical strings too: anything that starts like a sentence or has several words counts as a text.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'svelte/compiler';
import { root } from './process.ts';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

const FOLDERS = ['src-renderer', 'src-main', 'src-shared'];
const SKIPPED = /\.test\.ts$|\.d\.ts$|src-renderer\/dev\//;
const LABELS = /label|title|head|text|placeholder|help|hint|note|name|unit|suffix|prefix|empty/i;
const IGNORED_KEYS = new Set(['metadata', 'css', 'options', 'leadingComments', 'trailingComments']);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const readsAsText = (text: string): boolean =>
  /\p{L}{2}/u.test(text) && (/^\P{L}*\p{Lu}\p{Ll}/u.test(text) || /\p{L}[,.:;)]? \p{L}/u.test(text));

function quasis(node: Node): string {
  const parts = node['quasis'] as { value: { cooked?: string } }[];
  return parts.map((part) => part.value.cooked ?? '').join('{…}');
}

/** Returns the text a node itself holds, if it is one. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type === 'TemplateLiteral') return quasis(node);
  return undefined;
}

/** Returns the texts of a template's children: neighbouring texts and values are one text. */
function fragmentTexts(children: readonly Node[]): [number, string][] {
  const texts: [number, string][] = [];
  let run: [number, string] | undefined;
  for (const child of children) {
    if (child.type === 'Comment') continue;
    const text =
      child.type === 'Text' ? String(child['data']) : child.type === 'ExpressionTag' ? '{…}' : undefined;
    if (text === undefined) run = undefined;
    else if (run === undefined) texts.push((run = [child.start, text]));
    else run[1] += text;
  }
  return texts;
}

function* children(node: Node): Generator<Node> {
  for (const [key, value] of Object.entries(node)) {
    if (IGNORED_KEYS.has(key)) continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield child;
  }
}

const isType = (type: string): boolean =>
  type.startsWith('TS') && !['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'].includes(type);

function* texts(node: Node): Generator<[number, string]> {
  const { type } = node;
  if (isType(type) || (type.startsWith('Import') && type !== 'ImportExpression') || type === 'Comment')
    return;
  if (type === 'Attribute' && /^(?:class|style|data-.*)$/.test(String(node['name']))) return;
  const own = textOf(node);
  if (own !== undefined && readsAsText(own)) yield [node.start, own];
  if (type === 'Fragment') yield* fragmentTexts(node['nodes'] as Node[]);
  if (type === 'Attribute' && Array.isArray(node['value']))
    for (const found of fragmentTexts(node['value'] as Node[]))
      if (LABELS.test(String(node['name'])) || readsAsText(found[1])) yield found;
  for (const child of children(node)) yield* texts(child);
}

function textsOf(path: string): string[] {
  const source = readFileSync(path, 'utf8');
  const opening = path.endsWith('.svelte') ? '' : '<script lang="ts">';
  const closing = opening === '' ? '' : '</script>';
  const tree: unknown = parse(`${opening}${source}${closing}`, { modern: true });
  if (!isNode(tree)) throw new Error(`${path}: the parser returned no tree`);
  const lines = new Map<string, number>();
  for (const [start, text] of texts(tree)) {
    const shown = text.replace(/\s+/g, ' ').trim();
    const line = source.slice(0, start - opening.length).split('\n').length;
    if (/\p{L}{2}/u.test(shown) && !lines.has(shown)) lines.set(shown, line);
  }
  return [...lines].sort((a, b) => a[1] - b[1]).map(([text, line]) => `${String(line).padStart(5)}  ${text}`);
}

const folders = process.argv.length > 2 ? process.argv.slice(2) : FOLDERS;
for (const folder of folders)
  for (const name of globSync('**/*.{ts,svelte}', { cwd: join(root, folder) }).sort()) {
    const path = `${folder}/${name}`;
    if (SKIPPED.test(path)) continue;
    const found = textsOf(join(root, path));
    if (found.length > 0) process.stdout.write(`\n${path}\n${found.join('\n')}\n`);
  }
