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
