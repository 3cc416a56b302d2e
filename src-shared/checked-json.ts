import * as v from 'valibot';
import { parseJsonOrNull } from './json.ts';

export const integer = v.pipe(v.number(), v.safeInteger());

/**
 * Parses JSON by its schema; null for any other text. Keys the schema does not have are left out: a newer version wrote
 * them, which does not damage the rest.
 */
export function checkedJson<S extends v.GenericSchema>(schema: S, text: string): v.InferOutput<S> | null {
  const value = parseJsonOrNull(text);
  for (;;) {
    const parsed = v.safeParse(schema, value);
    if (parsed.success) return parsed.output;
    const left = parsed.issues.filter((issue) => isUnknownKey(issue) && leaveOut(value, keysOf(issue)));
    if (left.length === 0) return null;
  }
}

type Issue = v.BaseIssue<unknown>;

/** Reports whether the schema does not have the key the issue is about. */
export const isUnknownKey = ({ type, expected }: Issue): boolean =>
  type === 'strict_object' && expected === 'never';

export const keysOf = ({ path }: Issue): string[] => (path ?? []).map(({ key }) => String(key));

/** Deletes what is at the path, an item of a list with its place; false if there is nothing. */
export function leaveOut(value: unknown, path: readonly string[]): boolean {
  const last = path.at(-1);
  let holder: unknown = value;
  for (const key of path.slice(0, -1))
    holder = typeof holder === 'object' && holder !== null ? Reflect.get(holder, key) : null;
  if (last === undefined || typeof holder !== 'object' || holder === null) return false;
  if (!Object.hasOwn(holder, last)) return false;
  if (Array.isArray(holder)) return holder.splice(Number.parseInt(last, 10), 1).length === 1;
  return Reflect.deleteProperty(holder, last);
}
