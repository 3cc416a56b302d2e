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
