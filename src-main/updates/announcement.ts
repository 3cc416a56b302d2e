/** Verifies release announcements by their publisher's signature: a server can withhold one but not forge it. */
import { createPublicKey, verify } from 'node:crypto';
import { checkedJson } from '../../src-shared/checked-json.ts';
import { done, failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import { announcementSchema, releaseSchema, type Release } from '../../src-shared/ipc/updates.ts';

const unreadable = (message: string): Failure => ({
  kind: 'unreadable',
  message,
  next: 'Nothing was changed. Try again later, or see the project’s page.',
});

/** Reads an announcement, checking the signature before the content. `publicKey` is SPKI in DER, Base64. */
export function readAnnouncement(body: Uint8Array, publicKey: string): Result<Release> {
  const announcement = checkedJson(announcementSchema, Buffer.from(body).toString('utf8'));
  if (announcement === null) return failed(unreadable('The server’s reply is not a release announcement.'));
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  const text = Buffer.from(announcement.release, 'utf8');
  if (!verify(null, text, key, Buffer.from(announcement.signature, 'base64')))
    return failed(
      unreadable('The announcement is not signed by the publisher of this build, so it is not shown.'),
    );
  const release = checkedJson(releaseSchema, announcement.release);
  return release === null
    ? failed(unreadable('The announcement is signed, but this version cannot read it.'))
    : done(release);
}
