/**
 * Defines failures as plain data for IPC, by what the user can do about them. Built field by field: a library's error
 * object may contain the key.
 */
import type { ConcernedField } from '../exchange-api/error-codes.ts';

export const FAILURE_KINDS = [
  'blocked', // by Ballast, nothing was sent
  'rejected', // by the exchange
  'unknown', // may or may not have happened
  'offline', // not reached: DNS, connect, TLS, timeout, reset
  'server', // reached, but it failed: 5xx, code 500, HTML
  'unreadable', // a reply that violates the exchange API; `field` is the path
  'limited', // 429 or 418; `retryAt` is when requests may resume
  'keychain',
  'locked', // not sent: the lock has unloaded the secret
  'file',
  'cancelled',
  'bug',
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** Reads a kind as files have it: earlier versions wrote `denied` for `blocked` and `refused` for `rejected`. */
export const failureKind = (stored: FailureKind | 'denied' | 'refused'): FailureKind =>
  stored === 'denied' ? 'blocked' : stored === 'refused' ? 'rejected' : stored;

export interface Failure {
  readonly kind: FailureKind;
  /** What happened, in one sentence. Exchange text is quoted and shortened. */
  readonly message: string;
  /** What to do. */
  readonly next: string;
  /** Field of the ticket or form, or the path in a reply. */
  readonly field?: ConcernedField | (string & {});
  /** The exchange's code, digit for digit. */
  readonly code?: string;
  readonly status?: number;
  /** Wall clock, ms. */
  readonly retryAt?: number;
}

/** Reports whether the exchange replied, so that another page or a smaller size may be served. */
export const exchangeReplied = ({ kind }: Failure): boolean =>
  kind === 'rejected' || kind === 'server' || kind === 'unreadable';

export type Result<T> =
  { readonly ok: true; readonly data: T } | { readonly ok: false; readonly failure: Failure };

export const done = <T>(data: T): Result<T> => ({ ok: true, data });
export const failed = (failure: Failure): { readonly ok: false; readonly failure: Failure } => ({
  ok: false,
  failure,
});
export const blockedFailure = (message: string, next: string, field?: string, code?: string): Failure => ({
  kind: 'blocked',
  message,
  next,
  ...(field === undefined ? {} : { field }),
  ...(code === undefined ? {} : { code }),
});
/** Returns the result of a call that Ballast blocks. */
export const blocked = (...failure: Parameters<typeof blockedFailure>) => failed(blockedFailure(...failure));
