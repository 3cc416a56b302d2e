/**
 * The forms in which a server, library or log may repeat a secret: plain, JSON-escaped once or twice, URL-encoded, in
 * HTML, as base64 or hex. Found by the canary (e2e/canary.spec.ts).
 */

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const inPage = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Returns the forms, longest first, so that removing one leaves no part of another. */
export function secretForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const forms = [
    secret,
    inJson(secret),
    inJson(inJson(secret)),
    encodeURIComponent(secret.toWellFormed()),
    new URLSearchParams([['', secret]]).toString().slice(1),
    inPage(secret),
    inPage(inJson(secret)),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ];
  bytes.fill(0);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}
