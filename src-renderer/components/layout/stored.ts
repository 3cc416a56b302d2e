/** Preferences in the window's local storage. What cannot be read counts as not stored. */
import * as v from 'valibot';

const keyOf = (name: string): string => `ballast.${name}`;

export function readStored<S extends v.GenericSchema>(
  name: string,
  schema: S,
  fallback: v.InferOutput<S>,
): v.InferOutput<S> {
  const text = localStorage.getItem(keyOf(name));
  if (text === null) return fallback;
  try {
    const parsed = v.safeParse(schema, JSON.parse(text));
    return parsed.success ? parsed.output : fallback;
  } catch {
    return fallback; // written by an older version, not as JSON
  }
}

export function writeStored(name: string, value: unknown): void {
  localStorage.setItem(keyOf(name), JSON.stringify(value));
}

export function removeStored(name: string): void {
  localStorage.removeItem(keyOf(name));
}
