/** Defines update checks and the signed announcement of a release (packaging/README.md). */
import * as v from 'valibot';
import { textUpTo, webPage, whole } from './call.ts';
import type { Failure } from './failures.ts';

/** http is allowed on this computer only, as in a connection. */
const feed = v.pipe(
  v.string(),
  v.maxLength(300),
  v.regex(
    /^(?:https:\/\/[a-z0-9][a-z0-9.-]*|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]))(?::\d{1,5})?\/[^\s?#]*$/i,
    'the announcement’s address starts with https://',
  ),
);

/** Where a build checks for updates. Part of the package, so received data cannot change it. */
export const updatePlaceSchema = v.strictObject({
  feed,
  /** Ed25519, SPKI in DER, Base64. */
  publicKey: v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]{59}=$/, 'an Ed25519 key as SPKI in Base64')),
  /** Releases page, opened in the browser; the app downloads nothing. */
  page: webPage,
});
export type UpdatePlace = v.InferOutput<typeof updatePlaceSchema>;

const shortLine = v.pipe(v.string(), v.minLength(1), v.maxLength(300));

/** An announced release. Its content is shown as plain text. */
export const releaseSchema = v.strictObject({
  version: v.pipe(v.string(), v.regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/)),
  released: v.pipe(v.string(), v.isoDate()),
  changes: v.pipe(v.array(shortLine), v.minLength(1), v.maxLength(50)),
  files: v.pipe(
    v.array(
      v.strictObject({
        name: v.pipe(v.string(), v.regex(/^[\w.-]{1,100}$/)),
        bytes: whole(1),
        sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
      }),
    ),
    v.minLength(1),
    v.maxLength(20),
  ),
});
export type Release = v.InferOutput<typeof releaseSchema>;

/** The feed's file: a release as JSON text and the signature over exactly that text in UTF-8. */
export const announcementSchema = v.strictObject({
  release: textUpTo(60_000),
  signature: v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]{86}==$/)),
});
export type Announcement = v.InferOutput<typeof announcementSchema>;

/** Why the check is delayed: an order is being sent, or its outcome is unknown. */
export type UpdateHold = 'sending' | 'unknown';

export interface UpdateState {
  /** Host of the feed; null if this build has none. */
  readonly host: string | null;
  readonly checking: boolean;
  /** Last time an announcement was read and verified, in ms. */
  readonly checkedAt: number | null;
  /** A release newer than the running version, or null. */
  readonly release: Release | null;
  /** Why the last attempt failed. */
  readonly failure: Failure | null;
}
