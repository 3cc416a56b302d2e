/** Everything the window sends has a bounded length: a compromised page cannot fill the main process. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { CALLS } from './calls.ts';
import { CALL_NAMES } from './names.ts';

/** The parts of a schema that contain others; valibot's own types are one per kind. */
interface Shape extends v.GenericSchema {
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly options?: readonly unknown[];
  readonly wrapped?: v.GenericSchema;
  readonly item?: v.GenericSchema;
  readonly key?: v.GenericSchema;
  readonly value?: v.GenericSchema;
  readonly pipe?: readonly { readonly type: string }[];
}
/** Copied text and files made by the window have bounds of their own. */
const LARGE: readonly string[] = ['clipboard.write', 'files.save'];
const MOST = 100_000;
const MOST_OF_LARGE = 8_000_000;

function unbounded(schema: v.GenericSchema, path: string, most: number): string[] {
  const shape: Shape = schema;
  const inner = (one: v.GenericSchema | undefined, name: string): string[] =>
    one === undefined ? [] : unbounded(one, `${path}.${name}`, most);
  const found: string[] = [];
  if (shape.type === 'string')
    for (const sign of ['1', 'a', 'A'])
      if (v.safeParse(shape, sign.repeat(most + (4 - (most % 4)))).success) found.push(path);
  if (shape.type === 'array' && shape.pipe?.some((one) => /^(?:max_)?length$/.test(one.type)) !== true)
    found.push(`${path}[]`);
  return [
    ...new Set(found),
    ...inner(shape.wrapped, 'value'),
    ...inner(shape.item, 'item'),
    ...inner(shape.key, 'key'),
    ...(shape.type === 'record' ? inner(shape.value, 'value') : []),
    ...Object.entries(shape.entries ?? {}).flatMap(([name, one]) => inner(one, name)),
    ...(shape.type === 'variant' ? (shape.options as readonly v.GenericSchema[]) : []).flatMap((one, index) =>
      inner(one, String(index)),
    ),
  ];
}

describe('what the window may send', () => {
  it.each([...CALL_NAMES])('%s has a bound on every text and list', (name) => {
    expect(unbounded(CALLS[name].input, name, LARGE.includes(name) ? MOST_OF_LARGE : MOST)).toEqual([]);
  });
});
