/**
 * The controls: clock, prices, faults, the account's hidden settings. They are not part of the API, so they have a
 * port and a token of their own, and no client can reach them by mistake.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { timingSafeEqual } from 'node:crypto';
import { readText } from './body.ts';
import { change } from './control-changes.ts';
import type { Controlled } from './control-changes.ts';
import { habitsText, ordersText, stateText, tradesText } from './control-views.ts';

interface Answer {
  readonly status: number;
  readonly body: string;
}

const VIEWS: Readonly<Record<string, (controlled: Controlled) => string>> = {
  '/state': stateText,
  '/trades': tradesText,
  '/orders': ordersText,
  '/habits': habitsText,
  '/faults': ({ exchange }) => JSON.stringify(exchange.faults.list()),
};

export async function serveControls(
  controlled: Controlled,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readText(request);
  const { status, body: text } = allowed(request, token)
    ? reply(controlled, request.method ?? 'GET', request.url ?? '/', body)
    : { status: 401, body: '{"error":"Authorization: Bearer <token> is required"}' };
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(text);
}

function allowed(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '', 'utf8');
  const wanted = Buffer.from(`Bearer ${token}`, 'utf8');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function reply(controlled: Controlled, method: string, path: string, body: string | null): Answer {
  controlled.exchange.served.engine.advanceTo(controlled.exchange.clock.now());
  if (method === 'GET') {
    const view = Object.hasOwn(VIEWS, path) ? VIEWS[path] : undefined;
    return view ? { status: 200, body: view(controlled) } : { status: 404, body: '{"error":"no such view"}' };
  }
  if (body === null) return { status: 413, body: '{"error":"the body is too long or no UTF-8"}' };
  const changed = change(controlled, method, path, body);
  if (!changed.ok) return { status: 400, body: JSON.stringify({ error: changed.why, code: changed.code }) };
  return { status: 200, body: JSON.stringify({ done: true, result: changed.value ?? null }) };
}
