import * as v from 'valibot';
import { parseJsonOrNull } from './json.ts';

/** Parses JSON by its schema; null for any other text. */
export function checkedJson<S extends v.GenericSchema>(schema: S, text: string): v.InferOutput<S> | null {
  const parsed = v.safeParse(schema, parseJsonOrNull(text));
  return parsed.success ? parsed.output : null;
}
