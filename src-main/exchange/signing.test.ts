import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SIGNING_PRESETS, type SigningProfile } from '../../src-shared/ipc/signing.ts';
import { previewSigning } from './signing-preview.ts';
import { createSigner, type Credentials } from './signing.ts';
import { dataOf } from '../../tests/shared/data-of.ts';

const credentials: Credentials = {
  key: 'key-{secret}-{timestamp}',
  secret: Buffer.from('a secret').toString('base64'),
  headers: { 'CB-ACCESS-PASSPHRASE': 'a phrase' },
};
const post = {
  method: 'POST',
  path: '/x/ftapi/v1/order',
  query: '',
  body: '{"quantity":0.850,"note":"é"}',
} as const;
const get = {
  method: 'GET',
  path: '/ftapi/v1/openOrder',
  query: 'symbolId=A-B-M&limit=1000',
  body: '',
} as const;
const at = 1_763_700_000_987;

function sign(profile: SigningProfile, parts: typeof post | typeof get, change: Partial<Credentials> = {}) {
  const signer = dataOf(createSigner(profile, { ...credentials, ...change }));
  return signer.sign(parts, at);
}
const hmac = (key: string | Buffer, text: string, encoding: 'hex' | 'base64', hash = 'sha256') =>
  createHmac(hash, key).update(text, 'utf8').digest(encoding);

it('overwrites the bytes of a wiped secret', () => {
  const created = dataOf(createSigner(SIGNING_PRESETS.practice.profile, credentials));
  const signer = created;
  const { payload, signature } = signer.sign(post, at);
  expect(signature).toBe(hmac(credentials.secret, payload, 'hex'));
  signer.wipe();
  const zeros = Buffer.alloc(Buffer.byteLength(credentials.secret));
  expect(signer.sign(post, at).signature).toBe(hmac(zeros, payload, 'hex'));
});

describe('the presets', () => {
  it('practice', () => {
    const { headers, target, payload } = sign(SIGNING_PRESETS.practice.profile, post);
    expect(target).toBe(post.path);
    expect(payload).toBe(`${at}POST${post.path}${post.body}`);
    expect(headers).toEqual({
      'content-type': 'application/json',
      'x-api-key': credentials.key,
      'x-timestamp': String(at),
      'x-signature': hmac(credentials.secret, payload, 'hex'),
    });
  });

  it('concatenated: a key that looks like a placeholder stays a value', () => {
    const { payload, headers } = sign(SIGNING_PRESETS.concatenated.profile, get);
    expect(payload).toBe(`${at}${credentials.key}5000${get.query}`);
    expect(headers).toMatchObject({
      'x-bapi-recv-window': '5000',
      'x-bapi-sign': hmac(credentials.secret, payload, 'hex'),
    });
  });

  it('prehash: base64 secret and signature, seconds, a passphrase from the keychain', () => {
    const { payload, headers } = sign(SIGNING_PRESETS.prehash.profile, get);
    expect(payload).toBe(`1763700000GET${get.path}?${get.query}`);
    expect(headers).toMatchObject({
      'cb-access-passphrase': 'a phrase',
      'cb-access-sign': hmac(Buffer.from('a secret'), payload, 'base64'),
    });
  });

  it('query: the signature goes last and is not signed itself', () => {
    const { payload, target, headers } = sign(SIGNING_PRESETS.query.profile, get);
    const query = `${get.query}&timestamp=${at}&recvWindow=5000`;
    expect(payload).toBe(query);
    expect(target).toBe(`${get.path}?${query}&signature=${hmac(credentials.secret, query, 'hex')}`);
    expect(headers).toEqual({ 'x-mbx-apikey': credentials.key });
  });

  it('query: without parameters of its own begins with the timestamp', () => {
    const { payload, target } = sign(SIGNING_PRESETS.query.profile, { ...get, query: '' } as never);
    expect(payload).toBe(`timestamp=${at}&recvWindow=5000`);
    expect(target).toBe(`${get.path}?${payload}&signature=${hmac(credentials.secret, payload, 'hex')}`);
  });

  it('none sends no signature', () => {
    expect(sign(SIGNING_PRESETS.none.profile, get).headers).toEqual({ 'x-api-key': credentials.key });
  });
});

describe('what can be set', () => {
  const base = SIGNING_PRESETS.practice.profile;
  it('SHA-512, hex secret, a signature in the query is encoded', () => {
    const profile: SigningProfile = {
      ...base,
      algorithm: 'HMAC-SHA512',
      secretEncoding: 'hex',
      signatureEncoding: 'base64',
      signature: { in: 'query', name: 'sig' },
      template: '{method}|{path}|{query}|{target}|{body}|{window}|{timestamp}',
    };
    const { payload, target } = sign(profile, get, { secret: '00ffAB' });
    expect(payload).toBe(`GET|${get.path}|${get.query}|${get.path}?${get.query}|||${at}`);
    const signature = hmac(Buffer.from('00ffab', 'hex'), payload, 'base64', 'sha512');
    expect(target.endsWith(`&sig=${encodeURIComponent(signature)}`)).toBe(true);
  });

  it('takes the key, the encodings and the header values as they are', () => {
    const hex = sign({ ...base, secretEncoding: 'hex' }, post, { secret: '0a1B' });
    expect(hex.signature).toBe(hmac(Buffer.from('0a1b', 'hex'), hex.payload, 'hex'));
    for (const secret of ['YQ==', 'YWI=', 'YWJj', 'a+/0']) {
      const { payload, signature } = sign({ ...base, secretEncoding: 'base64' }, post, { secret });
      expect(signature).toBe(hmac(Buffer.from(secret, 'base64'), payload, 'hex'));
    }
    // Such names are a failure's, too.
    const names = ['Kind', 'Next', 'Message'].map((name) => ({ name, value: '1', secret: false }));
    expect(sign({ ...base, headers: names }, post).headers).toMatchObject({
      kind: '1',
      next: '1',
      message: '1',
    });
    const odd = sign({ ...base, headers: [{ name: 'X-Sign', value: ' ~', secret: false }] }, post);
    expect(odd.headers['x-sign']).toBe(' ~');
  });

  it('has no key header, timestamp or window unless the profile sets them', () => {
    const bare: SigningProfile = {
      ...SIGNING_PRESETS.none.profile,
      keyHeader: null,
      timestamp: null,
      receiveWindow: null,
      template: '{timestamp}|{window}|{unknown}|{path}',
    };
    const { headers, payload, signature, target } = sign(bare, { ...get, query: '' } as never, {
      secret: '',
    });
    expect([headers, payload, signature, target]).toEqual([{}, `||{unknown}|${get.path}`, '', get.path]);
  });

  it.each<[string, Partial<SigningProfile>, Partial<Credentials>, string]>([
    ['half a byte of hex', { secretEncoding: 'hex' }, { secret: '0a1' }, 'secret'],
    ['hex with a sign before', { secretEncoding: 'hex' }, { secret: '-00' }, 'secret'],
    ['hex with a sign after', { secretEncoding: 'hex' }, { secret: '00-' }, 'secret'],
    ['base64 with a sign before', { secretEncoding: 'base64' }, { secret: '-YWJj' }, 'secret'],
    ['base64 with a sign after', { secretEncoding: 'base64' }, { secret: 'YWJj-' }, 'secret'],
    ['a key that ends in é', {}, { key: 'canaryé' }, 'apiKey'],
    ['a key that begins with é', {}, { key: 'écanary' }, 'apiKey'],
    ['a fixed header with é', { headers: [{ name: 'X-A', value: 'canaryé', secret: false }] }, {}, 'signing'],
    ['a fixed header without value', { headers: [{ name: 'X-A', value: '', secret: false }] }, {}, 'secret'],
    [
      'an empty passphrase',
      SIGNING_PRESETS.prehash.profile,
      { headers: { 'CB-ACCESS-PASSPHRASE': '' } },
      'secret',
    ],
    ['no secret headers at all', SIGNING_PRESETS.prehash.profile, { headers: undefined as never }, 'secret'],
    ['odd hex', { secretEncoding: 'hex' }, { secret: 'canary0' }, 'secret'],
    ['base64 without its end', { secretEncoding: 'base64' }, { secret: 'canary' }, 'secret'],
    ['an empty secret', {}, { secret: '' }, 'secret'],
    ['an empty key', {}, { key: '' }, 'apiKey'],
    ['a key with a line break', {}, { key: 'canary\r\nx: y' }, 'apiKey'],
    ['no passphrase', SIGNING_PRESETS.prehash.profile, { headers: {} }, 'secret'],
    [
      'a passphrase with é',
      SIGNING_PRESETS.prehash.profile,
      { headers: { 'CB-ACCESS-PASSPHRASE': 'canaryé' } },
      'secret',
    ],
  ])('%s is rejected with its field, without the value', (_name, profile, change, field) => {
    const signer = createSigner({ ...base, ...profile }, { ...credentials, ...change });
    const failure = {
      kind: 'blocked',
      field,
      message: expect.stringMatching(/^The .*\.$/),
      next: expect.stringMatching(/^(?:Enter|Check) .*\.$/),
    };
    expect(signer).toMatchObject({ ok: false, failure });
    expect(JSON.stringify(signer)).not.toContain('canary');
  });
});

describe('the preview', () => {
  it('shows payload, address and headers of a sample, the key shortened, secret headers hidden', () => {
    const preview = previewSigning(
      {
        profile: { ...SIGNING_PRESETS.prehash.profile, template: '{key}{target}' },
        apiKey: 'abcdefghijklmnop',
        baseUrl: 'https://x.example/api/',
      },
      at,
    );
    expect(preview).toMatchObject({
      ok: true,
      data: {
        payload: 'abcd…mnop/api/ftapi/v1/openOrder?symbolId=BTC-USDT-M&limit=1000',
        url: 'https://x.example/api/ftapi/v1/openOrder?symbolId=BTC-USDT-M&limit=1000',
        signature: hmac(
          'preview-secret',
          'abcdefghijklmnop/api/ftapi/v1/openOrder?symbolId=BTC-USDT-M&limit=1000',
          'base64',
        ),
      },
    });
    const headers = preview.ok ? preview.data.headers : [];
    expect(headers).toContainEqual({ name: 'CB-ACCESS-KEY', value: 'abcd…mnop' });
    expect(headers).toContainEqual({ name: 'CB-ACCESS-PASSPHRASE', value: '••••' });
    expect(headers).toContainEqual({ name: 'CB-ACCESS-TIMESTAMP', value: '1763700000' });
  });

  it('shows a short key whole, a sample for none, and the profile’s own fault', () => {
    const { profile } = SIGNING_PRESETS.none;
    const headersOf = (apiKey: string) => {
      const preview = previewSigning({ profile, apiKey, baseUrl: 'https://x.example' }, at);
      return preview.ok ? preview.data.headers : [];
    };
    expect(headersOf(' ')).toEqual([{ name: 'X-API-KEY', value: 'your-api-key' }]);
    expect(headersOf(' abcdefghijklm ')).toEqual([{ name: 'X-API-KEY', value: 'abcd…jklm' }]);
    const headers = [
      { name: 'X-Plain', value: 'seen', secret: false },
      { name: 'X-Hidden', value: '', secret: true },
    ];
    const preview = previewSigning(
      { profile: { ...profile, headers }, apiKey: 'k', baseUrl: 'https://x.example' },
      at,
    );
    expect(preview.ok && preview.data.headers).toEqual([
      { name: 'X-Plain', value: 'seen' },
      { name: 'X-Hidden', value: '••••' },
      { name: 'X-API-KEY', value: 'k' },
    ]);
    expect(previewSigning({ profile, apiKey: 'é', baseUrl: 'https://x.example' }, at)).toMatchObject({
      failure: { field: 'apiKey' },
    });
  });

  it('reports an invalid base URL', () => {
    const { profile } = SIGNING_PRESETS.none;
    expect(previewSigning({ profile, apiKey: '', baseUrl: 'http://x.example' }, at)).toMatchObject({
      ok: false,
      failure: { field: 'baseUrl' },
    });
  });
});
