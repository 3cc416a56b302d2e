/** Previews a signing profile on a sample request, without any real secret. */
import { done, type Result } from '../../src-shared/ipc/failures.ts';
import type { SigningPreview, SigningProfile } from '../../src-shared/ipc/signing.ts';
import { ENDPOINTS } from '../../src-shared/exchange-api/endpoints.ts';
import { exactUrl, readBaseUrl } from './base-url.ts';
import { createSigner } from './signing.ts';

/** The public secret of every preview, in each encoding. */
const DUMMY_SECRET = {
  utf8: 'preview-secret',
  hex: '707265766965772d736563726574',
  base64: 'cHJldmlldy1zZWNyZXQ=',
} as const;
const SAMPLE_QUERY = 'symbolId=BTC-USDT-M&limit=1000';

export interface PreviewInput {
  readonly profile: SigningProfile;
  readonly apiKey: string;
  readonly baseUrl: string;
}

/** @param now ms since the epoch, the sample's timestamp */
export function previewSigning(
  { profile, apiKey, baseUrl }: PreviewInput,
  now: number,
): Result<SigningPreview> {
  const base = readBaseUrl(baseUrl);
  if (!base.ok) return base;
  const key = apiKey.trim() === '' ? 'your-api-key' : apiKey.trim();
  const secretHeaders = profile.headers
    .filter((header) => header.secret)
    .map(({ name }) => [name, '••••'] as const);
  const signer = createSigner(profile, {
    key,
    secret: DUMMY_SECRET[profile.secretEncoding],
    // Placeholder for the check of header characters; shown as dots below.
    headers: Object.fromEntries(secretHeaders.map(([name]) => [name, 'hidden'])),
  });
  if (!signer.ok) return signer;
  const signed = signer.data.sign(
    { method: 'GET', path: base.data.prefix + ENDPOINTS.openOrders.path, query: SAMPLE_QUERY, body: '' },
    now,
  );
  const hidden = new Set(secretHeaders.map(([name]) => name.toLowerCase()));
  return done({
    payload: signed.payload.replaceAll(key, shortened(key)),
    signature: signed.signature,
    url: exactUrl(base.data.origin, signed.target),
    headers: Object.entries(signed.headers).map(([name, value]) => ({
      name: originalName(profile, name),
      value: hidden.has(name) ? '••••' : value === key ? shortened(key) : value,
    })),
  });
}

/** Shortens a key to a recognisable part. */
const shortened = (key: string): string => (key.length <= 12 ? key : `${key.slice(0, 4)}…${key.slice(-4)}`);

/** Returns the header's name as configured; headers are sent in lower case, which is equivalent in HTTP. */
function originalName(profile: SigningProfile, name: string): string {
  const written = [
    profile.keyHeader,
    profile.signature.name,
    profile.timestamp?.name,
    profile.receiveWindow?.name,
    ...profile.headers.map((header) => header.name),
  ];
  return written.find((one) => one?.toLowerCase() === name) ?? name;
}
