/** Reads publisher.json: who publishes the packages. It holds no secret. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { updatePlaceSchema } from '../src-shared/ipc/updates.ts';

const publisherSchema = v.strictObject({
  /** Page of the project, https. */
  homepage: v.nullable(v.pipe(v.string(), v.startsWith('https://'))),
  /** “Name <address>”, which a Debian package requires. */
  maintainer: v.nullable(v.pipe(v.string(), v.regex(/^[^<>]+ <[^@\s]+@[^@\s]+>$/))),
  /** Where this build looks for updates; null disables updates. */
  updates: v.nullable(updatePlaceSchema),
});
export type Publisher = v.InferOutput<typeof publisherSchema>;

/** Throws when the file is invalid, so that no package is made with half an update source. */
export function readPublisher(): Publisher {
  const text = readFileSync(join(import.meta.dirname, 'publisher.json'), 'utf8');
  return v.parse(publisherSchema, JSON.parse(text));
}
