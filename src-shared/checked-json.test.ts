import * as v from 'valibot';
import { expect, it } from 'vitest';
import { checkedJson } from './checked-json.ts';
import { parseJsonOrNull } from './json.ts';

it('parses JSON, and null for a damaged text', () => {
  expect(parseJsonOrNull('{"a":1}')).toEqual({ a: 1 });
  expect(parseJsonOrNull('{"a":')).toBeNull();
});

it('parses JSON by a schema, and null for a damaged or other text', () => {
  const schema = v.object({ a: v.number() });
  expect(checkedJson(schema, '{"a":1}')).toEqual({ a: 1 });
  expect(checkedJson(schema, '{"a":')).toBeNull();
  expect(checkedJson(schema, '{"a":"1"}')).toBeNull();
});

it('leaves out keys of a newer version, however deep', () => {
  const row = v.strictObject({ b: v.string() });
  const schema = v.strictObject({
    a: v.optional(v.number(), 1),
    rows: v.array(row),
    named: v.record(v.string(), row),
  });
  const newer =
    '{"new":1,"newer":[],"rows":[{"b":"x","c":{"d":1}},{"b":"y","e":2}],"named":{"n":{"b":"z","new":null}}}';
  expect(checkedJson(schema, newer)).toEqual({
    a: 1,
    rows: [{ b: 'x' }, { b: 'y' }],
    named: { n: { b: 'z' } },
  });
  expect(checkedJson(schema, '{"new":1,"rows":[{"b":1}],"named":{}}')).toBeNull();
  const renamed = v.pipe(
    v.unknown(),
    v.transform(() => ({ other: 1 })),
    v.strictObject({}),
  );
  expect(checkedJson(renamed, '{}')).toBeNull();
});
