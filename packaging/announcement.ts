/** Writes an announcement in the form src-main/updates/announcement.ts reads. */
import { createPrivateKey, sign } from 'node:crypto';
import * as v from 'valibot';
import { releaseSchema, type Announcement, type Release } from '../src-shared/ipc/updates.ts';

/** `privateKey`: Ed25519, PEM. Throws when the app would reject the announcement. */
export function announce(release: Release, privateKey: string): Announcement {
  const text = JSON.stringify(v.parse(releaseSchema, release));
  const signature = sign(null, Buffer.from(text, 'utf8'), createPrivateKey(privateKey));
  return { release: text, signature: signature.toString('base64') };
}
