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
    const unknown = parsed.issues.filter(
      ({ type, expected }) => type === 'strict_object' && expected === 'never',
    );
    const left = unknown.filter(({ path = [] }) => leaveOut(value, path));
    if (left.length === 0) return null;
  }
}

/** Deletes what is at the path; false if there is nothing. */
function leaveOut(value: unknown, path: readonly v.IssuePathItem[]): boolean {
  const keys = path.map(({ key }) => String(key));
  const last = keys.pop();
  let holder: unknown = value;
  for (const key of keys)
    holder = typeof holder === 'object' && holder !== null ? Reflect.get(holder, key) : null;
  if (last === undefined || typeof holder !== 'object' || holder === null) return false;
  return Object.hasOwn(holder, last) && Reflect.deleteProperty(holder, last);
}
