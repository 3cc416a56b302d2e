import type { WireResult } from '../../src-main/exchange/transport.ts';

type Reply = Extract<WireResult, { kind: 'reply' }>;

/** A reply as the transport returns it, of status 200 unless a test says otherwise. */
export const wireReply = (body: string | Uint8Array, more: Partial<Reply> = {}): WireResult => ({
  kind: 'reply',
  status: 200,
  date: null,
  retryAfter: null,
  location: null,
  body: Buffer.from(body),
  latencyMs: 1,
  ...more,
});

type Failed = Extract<WireResult, { kind: 'failure' }>;

/** A request without a reply, lost after it was sent unless a test says otherwise. */
export const wireFailure = (cause: Failed['cause'], more: Partial<Failed> = {}): WireResult => ({
  kind: 'failure',
  stage: 'after-send',
  cause,
  code: '',
  status: null,
  ...more,
});
