/** What a fault makes of a reply. `null` means that the connection is reset instead of answered. */
import { failure, jsonReply } from './envelope.ts';
import type { Reply } from './envelope.ts';
import type { FaultRule } from './faults.ts';

export interface Spoiled {
  readonly reply: Reply | null;
  /** Announce the whole length, send half, reset. */
  readonly cut: boolean;
}

const page = (status: number): Reply => ({
  status,
  headers: { 'content-type': 'text/html;charset=UTF-8' },
  body: '<!doctype html><html><head><title>Gateway</title></head><body><h1>Please wait</h1></body></html>',
});

/** Fields of the records that hold words of a list. */
const ENUMS = /"(status|liquidity|marginMode|contractType)":"[A-Z]+"/g;

const whole = (reply: Reply | null): Spoiled => ({ reply, cut: false });

export function spoil(rule: FaultRule, reply: Reply): Spoiled {
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
        headers: { 'content-type': 'application/json', 'retry-after': String(rule.retryAfter ?? 1) },
      });
    case 'code':
      return whole(failure(rule.code ?? '700000', 'scripted by a fault'));
  }
}
