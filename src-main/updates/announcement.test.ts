import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { announce } from '../../packaging/announcement.ts';
import type { Release } from '../../src-shared/ipc/updates.ts';
import { readAnnouncement } from './announcement.ts';

const keys = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  };
};
const RELEASE: Release = {
  version: '0.2.0',
  released: '2026-12-01',
  changes: ['Funding is shown by position.'],
  files: [{ name: 'Ballast-0.2.0-linux-x64.deb', bytes: 90_000_000, sha256: 'a'.repeat(64) }],
};
const { privateKey, publicKey } = keys();
const bytes = (value: unknown): Uint8Array =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const message = (body: Uint8Array, key = publicKey): string => {
  const read = readAnnouncement(body, key);
  return read.ok ? 'believed' : read.failure.message;
};
const good = announce(RELEASE, privateKey);

it('reads what its publisher signed, word for word', () => {
  expect(readAnnouncement(bytes(good), publicKey)).toEqual({ ok: true, data: RELEASE });
  // A key of a later format does not hide the release.
  expect(readAnnouncement(bytes({ ...good, more: 1 }), publicKey)).toEqual({ ok: true, data: RELEASE });
});

it.each([
  ['another key', good, keys().publicKey],
  ['a changed word', { ...good, release: good.release.replace('0.2.0', '0.3.0') }, publicKey],
  [
    'the signature of another release',
    { ...good, signature: announce({ ...RELEASE, version: '0.9.9' }, privateKey).signature },
    publicKey,
  ],
])('%s: not shown', (_what, announcement, key) => {
  expect(message(bytes(announcement), key)).toMatch(/not signed by the publisher/);
});

it.each([
  ['<html>Sign in to the hotel’s network</html>'],
  ['null'],
  [{ release: good.release }],
  [{ ...good, signature: 'AAAA' }],
])('%j: not a release announcement', (body) => {
  expect(message(bytes(body))).toMatch(/not a release announcement/);
});

it('signed, but not as this version reads it', () => {
  const foreign = { ...RELEASE, files: [{ ...RELEASE.files[0], url: 'https://x.example' }] };
  expect(() => announce(foreign as Release, privateKey)).toThrow();
  expect(() => announce({ ...RELEASE, version: 'next' }, privateKey)).toThrow();
});
