/** Applies a fault to a reply. A `null` reply means that the connection is reset. */
import type { Habits } from '../habits.ts';
import { jsonReply, rejection } from './envelope.ts';
import type { Reply } from './envelope.ts';
import type { FaultRule } from './faults.ts';

export interface CorruptReply {
  readonly reply: Reply | null;
  /** Announces the whole length, sends half, then resets. */
  readonly cut: boolean;
}

const page = (status: number): Reply => ({
  status,
  headers: { 'content-type': 'text/html;charset=UTF-8' },
  body: '<!doctype html><html><head><title>Gateway</title></head><body><h1>Please wait</h1></body></html>',
});

/** Record fields that hold enum values. */
const ENUMS = /"(status|liquidity|marginMode|contractType)":"[A-Z]+"/g;

const whole = (reply: Reply | null): CorruptReply => ({ reply, cut: false });

/** A date `seconds` after `now` (ms), rounded up so that no client retries early. */
const dateIn = (seconds: number, now: number): string =>
  new Date(Math.ceil(now / 1000 + seconds) * 1000).toUTCString();

function retryAfter(seconds: number, { habits, now }: ReplyContext): Readonly<Record<string, string>> {
  switch (habits['retry-after']) {
    case 'seconds':
      return { 'retry-after': String(seconds) };
    case 'date':
      return { 'retry-after': dateIn(seconds, now) };
    case 'absent':
      return {};
  }
}

/** What a corrupted reply depends on beside its rule. */
interface ReplyContext {
  readonly habits: Habits;
  /** The time of the `Date` header, ms. */
  readonly now: number;
}

export function corrupt(rule: FaultRule, reply: Reply, context: ReplyContext): CorruptReply {
  switch (rule.action) {
    case 'delay':
    case 'delayed-visibility':
    case 'page-drift':
      return whole(reply);
    case 'reset':
      return whole(null);
    case 'cut':
      return { reply, cut: true };
    case 'status':
      return whole(page(rule.status ?? 503));
    case 'html':
      return whole(page(200));
    case 'truncated':
      return whole({ ...reply, body: reply.body.slice(0, Math.trunc(reply.body.length / 2)) });
    case 'duplicate-keys':
      return whole({ ...reply, body: reply.body.replace('{', '{"code":"700017",') });
    case 'contradictory':
      return whole({ ...reply, body: reply.body.replace('"success":true', '"success":false') });
    case 'no-data':
      return whole({ ...reply, body: reply.body.replace(/,"data":.*\}$/s, '}') });
    case 'unknown-enum':
      return whole({ ...reply, body: reply.body.replace(ENUMS, '"$1":"UNHEARD_OF"') });
    case 'rate-limit':
      return whole({
        ...jsonReply(429, '{"code":"429","msg":"too many requests","success":false,"data":null}'),
        headers: { 'content-type': 'application/json', ...retryAfter(rule.retryAfter ?? 1, context) },
      });
    case 'code':
      return whole(rejection({ code: rule.code ?? '700000', why: 'scripted by a fault' }, context.habits));
  }
}
