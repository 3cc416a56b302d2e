import { errorCode } from '../../src-files/error-code.ts';

/** Names the cause of a failed request. Only the error's code and phase are read: its message may carry the key. */
export type WireCause =
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'body'
  /** A body that is not compressed as its header says. */
  | 'encoding'
  | 'too-large'
  | 'cancelled';

/** How the codes of each cause begin. */
const CODES: readonly (readonly [WireCause, readonly string[]])[] = [
  ['dns', ['ENOTFOUND', 'EAI_']],
  [
    'connect',
    [
      ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN'],
      ...['EADDRNOTAVAIL', 'EACCES', 'EPERM'],
    ],
  ],
  [
    'tls',
    [
      ...['ERR_TLS', 'ERR_SSL', 'CERT_', 'UNABLE_TO_', 'DEPTH_ZERO', 'SELF_SIGNED', 'HOSTNAME_', 'EPROTO'],
      // A certificate for another use, a chain that is no authority's, a key or hash too weak.
      ...['INVALID_', 'PATH_LENGTH_', 'UNSPECIFIED'],
    ],
  ],
  ['reset', ['ECONNRESET', 'EPIPE', 'ECONNABORTED']],
  ['timeout', ['ETIMEDOUT']],
  ['cancelled', ['ERR_ABORTED']],
];

export interface WireError {
  readonly cause: WireCause;
  /** Such as ECONNREFUSED; '' for an error without a code. */
  readonly code: string;
}

/** How zlib's, Brotli's and Zstandard's codes of wrong data begin. Data that ends too early, Z_BUF_ERROR, was cut. */
const ENCODING = /^(?:Z_DATA_ERROR|ERR__ERROR_|ERR_BROTLI_|ZSTD_error_)/;

interface ErrorCodes {
  readonly code?: unknown;
  readonly event?: unknown;
  /** The error of the decompression, where that failed. */
  readonly cause?: unknown;
}

/** `hasReplied`: the head of the reply has arrived, so that its body is what was lost. */
export function wireError({ code, event, cause }: ErrorCodes, hasReplied: boolean): WireError {
  if (hasReplied && ENCODING.test(errorCode(cause))) return { cause: 'encoding', code: '' };
  const own = typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : '';
  // Of got's phases no other says more than that time ran out: a slow DNS server nothing about the name, a slow handshake
  // nothing about the certificate.
  if (event === 'connect') return { cause: 'connect', code: 'ETIMEDOUT' };
  const known = CODES.find(([, starts]) => starts.some((start) => own.startsWith(start)))?.[0];
  if (hasReplied && known !== 'timeout' && known !== 'cancelled') return { cause: 'body', code: own };
  return { cause: known ?? 'body', code: own };
}
