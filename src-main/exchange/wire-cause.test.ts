import { describe, expect, it } from 'vitest';
import { type WireCause, wireError } from './wire-cause.ts';

const CODES: Readonly<Partial<Record<WireCause, readonly string[]>>> = {
  dns: ['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'],
  connect: [
    ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN'],
    ...['EADDRNOTAVAIL', 'EACCES', 'EPERM'],
  ],
  tls: [
    ...['ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_SSL_WRONG_VERSION_NUMBER', 'CERT_HAS_EXPIRED', 'EPROTO'],
    ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
    ...['HOSTNAME_MISMATCH', 'INVALID_PURPOSE', 'INVALID_CA', 'PATH_LENGTH_EXCEEDED', 'UNSPECIFIED'],
  ],
  reset: ['ECONNRESET', 'EPIPE', 'ECONNABORTED'],
  timeout: ['ETIMEDOUT'],
  cancelled: ['ERR_ABORTED'],
  body: ['ERR_BODY_PARSE', 'HPE_INVALID_CONSTANT'],
};
const each = Object.entries(CODES).flatMap(([cause, codes]) =>
  codes.map((code) => ({ code, cause: cause as WireCause })),
);

describe('the cause of a failed request', () => {
  it.each(each)('$code is $cause', ({ code, cause }) => {
    expect(wireError({ code }, false)).toEqual({ cause, code });
    // Once a reply began, its body was lost, unless there was no time left or the request was aborted.
    const ownCause = cause === 'timeout' || cause === 'cancelled';
    expect(wireError({ code }, true)).toEqual({ cause: ownCause ? cause : 'body', code });
  });

  it.each([
    // A name that a DNS server was too slow for may well exist.
    ['lookup', 'timeout'],
    ['connect', 'connect'],
    // A slow handshake says nothing about the certificate, and may succeed at the next try.
    ['secureConnect', 'timeout'],
    ['request', 'timeout'],
  ])('a timeout of the phase %s is %s', (event, cause) => {
    expect(wireError({ code: 'ETIMEDOUT', event }, false)).toEqual({ cause, code: 'ETIMEDOUT' });
  });

  it.each([
    ['Z_DATA_ERROR', 'encoding'],
    ['ERR__ERROR_FORMAT_PADDING_2', 'encoding'],
    ['ZSTD_error_prefix_unknown', 'encoding'],
    ['Z_BUF_ERROR', 'body'],
  ])('a body that fails with %s is %s', (inner, cause) => {
    const error = { code: 'ERR_READING_RESPONSE_STREAM', cause: Object.assign(new Error(), { code: inner }) };
    expect(wireError(error, true).cause).toBe(cause);
  });

  it.each(['Key abc: no', 'KEY-1', 'xEPIPE', 'E', 'A'.repeat(62), '', 7, undefined])(
    'takes nothing for a code that may be a message: %s',
    (code) => {
      expect(wireError({ code }, false)).toEqual({ cause: 'body', code: '' });
    },
  );
});
