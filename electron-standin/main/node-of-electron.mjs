// Electron's Node: its version, and its node:crypto, which uses BoringSSL instead of OpenSSL. What BoringSSL lacks
// is rejected with Node's errors for an unknown name.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** Read from Electron 44.4.4 (September 2026); every supported Electron line updates to the same minor of Node 24. */
export const NODE_LINE = '24.21';

const HASHES = new Set(
  [
    'md4',
    'md5',
    'sha1',
    'sha224',
    'sha256',
    'sha384',
    'sha512',
    'sha512-256',
    'md5-sha1',
    'ripemd160',
  ].concat(['rsa-md5', 'rsa-sha1', 'rsa-sha224', 'rsa-sha256', 'rsa-sha384', 'rsa-sha512']),
);
const AES = ['cbc', 'ctr', 'ecb', 'gcm', 'ofb'];
const CIPHERS = new Set([
  ...[128, 192, 256].flatMap((bits) => AES.map((mode) => `aes-${bits}-${mode}`)),
  ...['aes-128-cfb', 'aes-256-cfb', 'aes128', 'aes192', 'aes256'],
  ...['des-cbc', 'des-ecb', 'des-ede', 'des-ede-cbc', 'des-ede3-cbc', 'rc2-cbc', 'rc4'],
  ...['bf-cbc', 'bf-cfb', 'bf-ecb'],
]);
const CURVES = new Set(['prime256v1', 'p-256', 'secp224r1', 'secp384r1', 'p-384', 'secp521r1', 'p-521']);
const KEYS = new Set(['rsa', 'ec', 'ed25519', 'x25519']);

const coded = (error, code) => Object.assign(error, { code });
const hasHash = (name) => typeof name !== 'string' || HASHES.has(name.toLowerCase());
function assertHash(name) {
  if (!hasHash(name)) throw coded(new TypeError(`Invalid digest: ${name}`), 'ERR_CRYPTO_INVALID_DIGEST');
}
function assertCipher(name) {
  if (!CIPHERS.has(String(name).toLowerCase()))
    throw coded(new Error('Unknown cipher'), 'ERR_CRYPTO_UNKNOWN_CIPHER');
}
function assertCurve(name) {
  if (name !== undefined && !CURVES.has(String(name).toLowerCase()))
    throw coded(new TypeError('Invalid EC curve name'), 'ERR_CRYPTO_INVALID_CURVE');
}
const unsupported = () => coded(new Error('unsupported'), 'ERR_OSSL_EVP_UNSUPPORTED');
function assertKind(kind, options) {
  if (!KEYS.has(kind)) throw unsupported();
  assertCurve(options?.namedCurve);
}

/** Function → the check of its arguments before Node sees them. */
const GUARDS = {
  createHash(name) {
    if (!hasHash(name)) throw new Error('Digest method not supported');
  },
  hash(name) {
    if (!hasHash(name)) throw new Error(`Digest method ${name} is not supported`);
  },
  createHmac: (name) => assertHash(name),
  createSign: (name) => assertHash(name),
  createVerify: (name) => assertHash(name),
  sign: (name) => assertHash(name),
  verify: (name) => assertHash(name),
  hkdf: (name) => assertHash(name),
  hkdfSync: (name) => assertHash(name),
  pbkdf2: (_password, _salt, _rounds, _length, name) => assertHash(name),
  pbkdf2Sync: (_password, _salt, _rounds, _length, name) => assertHash(name),
  createCipheriv: (name) => assertCipher(name),
  createDecipheriv: (name) => assertCipher(name),
  createECDH: (name) => assertCurve(name),
  generateKeyPair: assertKind,
  generateKeyPairSync: assertKind,
  argon2() {
    throw unsupported();
  },
  argon2Sync() {
    throw unsupported();
  },
  encapsulate() {
    throw unsupported();
  },
  decapsulate() {
    throw unsupported();
  },
};

/** For this thread; workers and children get it by `--require` of this file (see `electron`). */
function rejectWhatBoringSslLacks() {
  for (const [name, guard] of Object.entries(GUARDS)) {
    const original = crypto[name];
    crypto[name] = (...args) => {
      guard(...args);
      return original(...args);
    };
  }
  const only = (list, known) => list.filter((name) => known.has(name.toLowerCase()));
  const { getHashes, getCiphers, getCurves } = crypto;
  crypto.getHashes = () => only(getHashes(), HASHES);
  crypto.getCiphers = () => only(getCiphers(), CIPHERS);
  crypto.getCurves = () => only(getCurves(), CURVES);
  syncBuiltinESMExports();
}

rejectWhatBoringSslLacks();
