/** Writes an announcement as the app reads it: src-main/updates/announcement.ts is the other end. */
import { createPrivateKey, sign } from 'node:crypto';
import * as v from 'valibot';
import { releaseSchema, type Announcement, type Release } from '../src-shared/ipc/updates.ts';

/** `privateKey`: Ed25519, PEM. Throws when the app would not take it. */
export function announce(release: Release, privateKey: string): Announcement {
  const text = JSON.stringify(v.parse(releaseSchema, release));
  const signature = sign(null, Buffer.from(text, 'utf8'), createPrivateKey(privateKey));
  return { release: text, signature: signature.toString('base64') };
}
