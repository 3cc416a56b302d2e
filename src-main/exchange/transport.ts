/**
 * Sends one request and returns one reply as plain data. The only user of got.
 *
 * Hazards avoided here (measured, docs/safety.md): got follows cross-origin redirects with body and key headers, so
 * redirects are off; it retries GETs, so the limit is 0; its errors contain the key, so only their code leaves this
 * file.
 */
import { Agent as HttpAgent, type ClientRequest } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import got, { type RequestError } from 'got';
import { elapsed, type Moment } from '../../src-shared/domain/display/elapsed.ts';
import { type WireCause, wireError } from './wire-cause.ts';

export interface WireRequest {
  readonly method: 'GET' | 'POST';
  /** Sent unchanged: path and query are already signed. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Aborts a read; never set for an order. */
  readonly signal?: AbortSignal;
}

export interface WireReply {
  readonly kind: 'reply';
  readonly status: number;
  /** `Date` of a reply that is not from a cache, ms; null without one. */
  readonly date: number | null;
  readonly retryAfter: string | null;
  readonly location: string | null;
  readonly body: Uint8Array;
  readonly latencyMs: number;
}

export interface WireFailure {
  readonly kind: 'failure';
  /** `before-send`: no byte of the request can have left. Anything less certain is `after-send`. */
  readonly stage: 'before-send' | 'after-send';
  readonly cause: WireCause;
  /** An error code such as ECONNREFUSED; never a library's message, which may carry the key. */
  readonly code: string;
  /** Status of a reply whose body was cut. */
  readonly status: number | null;
}

export type WireResult = WireReply | WireFailure;

/** Milliseconds. `read` and `order` bound a whole GET and a whole POST. */
export interface Timeouts {
  /** A resolver asks the second DNS server after 5 s without a reply from the first. */
  readonly lookup: number;
  /**
   * For one address of a host that has several, before the next is tried: Node gives the first ones up, and its 250 ms
   * are less than a distant or lossy network takes.
   */
  readonly address: number;
  readonly connect: number;
  readonly secureConnect: number;
  readonly read: number;
  readonly order: number;
  /** Servers commonly drop idle connections after 5 s; closing them earlier avoids losing an order to that. */
  readonly idle: number;
}
export const TIMEOUTS: Timeouts = {
  lookup: 6000,
  address: 1500,
  connect: 4000,
  secureConnect: 5000,
  read: 10_000,
  order: 15_000,
  idle: 4000,
};

/** Largest reply, decompressed; 1,000 open orders are 0.7 MB. reply-size.ts limits its structure. */
export const MAX_REPLY_BYTES = 16 * 1024 * 1024;

export interface Transport {
  send(request: WireRequest): Promise<WireResult>;
  close(): void;
}

/** Returns a transport with connections of its own: kept open between requests, and never through a proxy. */
export function createTransport(timeouts: Timeouts, maxReplyBytes = MAX_REPLY_BYTES): Transport {
  // Own agents, for keep-alive and without a proxy from the environment.
  const settings = {
    keepAlive: true,
    timeout: timeouts.idle,
    autoSelectFamilyAttemptTimeout: timeouts.address,
  };
  const agent = { http: new HttpAgent(settings), https: new HttpsAgent(settings) };
  const agents = Object.values(agent);
  const idleSince = new WeakMap<Socket, Moment>();
  for (const one of agents) one.on('free', (socket: Socket) => idleSince.set(socket, moment()));

  return {
    send(request) {
      for (const one of agents) dropIdle(one, idleSince, timeouts.idle);
      return sendOnce(request, agent, timeouts, maxReplyBytes);
    },
    close() {
      for (const one of agents) one.destroy();
    },
  };
}

/** The system's clocks, never a practice exchange's. Timers stand still during sleep and are late on a busy thread. */
const moment = (): Moment => ({ wall: Date.now(), mono: performance.now() });

/** Closes the connections that their timers should have closed by now: the server may have dropped them. */
function dropIdle({ freeSockets }: HttpAgent, since: WeakMap<Socket, Moment>, idleMs: number): void {
  const now = moment();
  for (const socket of Object.values(freeSockets).flatMap((sockets) => sockets ?? []))
    if (elapsed(since.get(socket) ?? now, now) >= idleMs) socket.destroy();
}

interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

const sendOnce = (
  request: WireRequest,
  agent: Agents,
  timeouts: Timeouts,
  maxReplyBytes: number,
): Promise<WireResult> =>
  new Promise((resolve) => {
    const started = moment();
    const within = request.method === 'POST' ? timeouts.order : timeouts.read;
    let isSent = false;
    const chunks: Uint8Array[] = [];
    let size = 0;
    let status: number | null = null;

    const stream = start(request, agent, timeouts, within);
    const fail = (cause: WireCause, code: string) =>
      resolve({
        kind: 'failure',
        stage: isSent ? 'after-send' : 'before-send',
        cause,
        code,
        status,
      });
    stream.once('request', (native: ClientRequest) =>
      watchFirstByte(native, () => {
        if (elapsed(started, moment()) <= within) return void (isSent = true);
        // The computer slept meanwhile: an order must not leave so late.
        fail('timeout', 'ETIMEDOUT');
        native.destroy();
      }),
    );
    stream.once('response', (response: { statusCode: number; headers: HeaderBag }) => {
      const head = { status: response.statusCode, ...readHeaders(response.headers) };
      ({ status } = head);
      stream.once('end', () => {
        const latencyMs = performance.now() - started.mono;
        resolve({ kind: 'reply', ...head, body: Buffer.concat(chunks), latencyMs });
      });
    });
    stream.on('data', (chunk: Uint8Array) => {
      size += chunk.byteLength;
      if (size <= maxReplyBytes) return void chunks.push(chunk);
      fail('too-large', '');
      stream.destroy();
    });
    stream.on('error', (error: RequestError) => {
      const { cause, code } = wireError(error, status !== null);
      fail(cause, code);
    });
    // Settles the promise whatever path the stream died on; a no-op after the others.
    stream.once('close', () => fail('reset', ''));
  });

/** Starts the request, which ends `within` ms: without retry, redirect or an error for a status. */
const start = (request: WireRequest, agent: Agents, timeouts: Timeouts, within: number) =>
  got.stream(request.url, {
    method: request.method,
    headers: { 'user-agent': 'Ballast', accept: 'application/json', ...request.headers },
    ...(request.method === 'POST' ? { body: request.body } : {}),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
    agent,
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    timeout: {
      lookup: timeouts.lookup,
      connect: timeouts.connect,
      secureConnect: timeouts.secureConnect,
      request: within,
    },
  });

/**
 * Calls `sent` when bytes of the request may leave: at once on a reused socket, on a new one when it is connected (with
 * TLS, verified). `bytesWritten` does not help: it counts queued bytes.
 */
function watchFirstByte(request: ClientRequest, sent: () => void): void {
  const isSecure = request.protocol === 'https:';
  request.once('socket', (socket) => {
    if (socket.connecting) socket.once(isSecure ? 'secureConnect' : 'connect', sent);
    else sent();
  });
}

type HeaderBag = Readonly<Record<string, string | string[] | undefined>>;

function readHeaders(headers: HeaderBag): Pick<WireReply, 'date' | 'retryAfter' | 'location'> {
  const one = (name: string): string | null => {
    const value = headers[name];
    return typeof value === 'string' ? value : null;
  };
  const date = one('age') === null ? Date.parse(one('date') ?? '') : NaN;
  return {
    date: Number.isFinite(date) ? date : null,
    retryAfter: one('retry-after'),
    location: one('location'),
  };
}
