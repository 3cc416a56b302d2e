import { expect, it } from 'vitest';
import type { WireResult } from '../exchange/transport.ts';
import type { WireCause } from '../exchange/wire-cause.ts';
import { verdictOf } from './verdict.ts';
import { wireReply, wireFailure } from '../../tests/exchange/wire-reply.ts';

const reply = (status: number, retryAfter: string | null = null): WireResult =>
  wireReply('{"ok":false,"retry":"never"}', { status, retryAfter, location: 'https://elsewhere.example' });
const failure = (cause: WireCause, status: number | null = null): WireResult =>
  wireFailure(cause, { status });

it.each([200, 201, 204, 299])('%i is delivered, whatever the body says', (status) => {
  expect(verdictOf(reply(status))).toEqual({ delivered: true });
});
// Slack: 400 invalid_payload, 403 action_prohibited, 404 channel_not_found, 410 channel_is_archived; ntfy: 413.
it.each([301, 308, 400, 401, 403, 404, 410, 413])('%i is final and not retried', (status) => {
  const verdict = verdictOf(reply(status));
  expect(verdict).toMatchObject({ delivered: false, retryable: false });
  expect(JSON.stringify(verdict)).toContain(`status ${status}`);
  expect(JSON.stringify(verdict)).not.toContain('elsewhere');
});
it.each([
  [[300, 399], 'redirects to another address'],
  [[401, 403], 'rejected the token or the address'],
  [[404, 410], 'no webhook at this address'],
  [[400, 418], 'rejected the message'],
  [[429], 'Too many messages'],
  [[408, 500], 'reported an error'],
])('says of %j that it %s', (statuses, why) => {
  for (const status of statuses)
    expect(verdictOf(reply(status))).toMatchObject({ why: expect.stringContaining(why) });
});
it('calls 304 no redirect', () => {
  expect(verdictOf(reply(304))).toMatchObject({ delivered: false, why: expect.stringContaining('cache') });
});
it.each([408, 429, 500, 503])('%i is retried', (status) => {
  expect(verdictOf(reply(status))).toMatchObject({ delivered: false, retryable: true, retryAfterMs: 0 });
});
// Slack and Telegram (its server's HttpConnection) send whole seconds; Discord's own `retry_after` has decimals.
it('waits as long as the server asks, in seconds', () => {
  expect(verdictOf(reply(429, '30'))).toMatchObject({ retryAfterMs: 30_000 });
  expect(verdictOf(reply(429, '64.57'))).toMatchObject({ retryAfterMs: 65_000 });
  for (const odd of ['-1', '1.', '.5', '1e9', 'Sun, 22 Nov 2026 03:00:00 GMT', '99999999'])
    expect(verdictOf(reply(429, odd))).toMatchObject({ retryAfterMs: 0 });
});
it('retries what got no reply, also where a public network showed its own certificate', () => {
  for (const cause of ['dns', 'connect', 'tls', 'timeout', 'reset', 'body'] as const)
    expect(verdictOf(failure(cause))).toMatchObject({ delivered: false, retryable: true });
});
it('judges a reply that was too long by its status', () => {
  expect(verdictOf(failure('too-large', 200))).toEqual({ delivered: true });
  expect(verdictOf(failure('too-large', 404))).toMatchObject({ delivered: false, retryable: false });
});
