/** Who publishes the packages: publisher.json, filled in by whoever does. Nothing in it is a secret. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { updatePlaceSchema } from '../src-shared/ipc/updates.ts';

const publisherSchema = v.strictObject({
  /** Page of the project, https. */
  homepage: v.nullable(v.pipe(v.string(), v.startsWith('https://'))),
  /** “Name <address>”, which a Debian package must name. */
  maintainer: v.nullable(v.pipe(v.string(), v.regex(/^[^<>]+ <[^@\s]+@[^@\s]+>$/))),
  /** Where this build looks for updates; null = it offers none. */
  updates: v.nullable(updatePlaceSchema),
});
export type Publisher = v.InferOutput<typeof publisherSchema>;

/** Throws when the file is not as above: a package with half an update place must not be made. */
export function readPublisher(): Publisher {
  const text = readFileSync(join(import.meta.dirname, 'publisher.json'), 'utf8');
  return v.parse(publisherSchema, JSON.parse(text));
}
