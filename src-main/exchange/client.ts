/**
 * Client of the exchange API: seven endpoints, one request each, never repeated. Reads return `{ ok, data | failure }`;
 * orders return an outcome that states no more than is confirmed. It throws for no input, network or server error.
 * Runs in plain Node.
 */
import * as v from 'valibot';
import type { BaseAddress } from '../../src-shared/ipc/connections.ts';
import {
  blocked,
  blockedFailure,
  done,
  failed,
  type Failure,
  type Result,
} from '../../src-shared/ipc/failures.ts';
import {
  SIGNING_PRESETS,
  signingProfileSchema,
  type PresetName,
  type SigningProfile,
} from '../../src-shared/ipc/signing.ts';
import {
  ENDPOINTS,
  type OpenOrdersQuery,
  type OrderHistoryQuery,
  type ReadEndpoint,
  type TradesQuery,
} from '../../src-shared/exchange-api/endpoints.ts';
import type { OrderRequest } from '../../src-shared/exchange-api/order-request.ts';
import type { Drift, Replies, UnreadableRecord } from '../../src-shared/exchange-api/replies.ts';
import type { Moment } from '../../src-shared/domain/display/elapsed.ts';
import type { Clock } from '../../src-shared/time.ts';
import { exactUrl, readBaseUrl } from './base-url.ts';
import type { OrderKind } from './order-body.ts';
import { checkedBatch, checkedBody, checkedOrder } from './order-check.ts';
import { classifyPost, type OrderEndpoint, type PostOutcome } from './outcome.ts';
import { queryText } from './queries.ts';
import { classifyRead } from './read-outcome.ts';
import { applyFilters, filterUnreadable } from './reply-filters.ts';
import { createParser, createQuote, type Quote } from './response-parser.ts';
import { RateLimit, retryTime } from './rate-limit.ts';
import { ServerClock } from './server-clock.ts';
import { createSigner, type Credentials, type Signer } from './signing.ts';
import { createTransport, TIMEOUTS, type Timeouts, type Transport, type WireRequest } from './transport.ts';

export interface ClientOptions {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly signing: SigningProfile | PresetName;
  /** Without `mono` it must be monotonic itself. */
  readonly clock: Clock & { mono?(): number };
  /** Codes of this exchange, beyond the documented ones, that confirm a rejection. */
  readonly refusalCodes?: readonly string[];
  readonly timeouts?: Partial<Timeouts>;
  /** Shared by all clients of the exchange; by default a new one. */
  readonly limit?: RateLimit;
  /** Called with undocumented values and fields. */
  readonly onDrift?: (drift: Drift) => void;
}

export interface ReadMeta {
  /** From sending to the last byte, by the monotonic clock. */
  readonly latencyMs: number;
  /** All rows of the reply, also filtered and unreadable ones: only these show a cut. */
  readonly listed: number;
  /** Records without a readable identity that the query may ask for; absent if there are none. */
  readonly unreadable?: readonly UnreadableRecord[];
}
/** `M`: the part of the meta data that a caller needs. */
export type ReadResult<T, M = ReadMeta> =
  | { readonly ok: true; readonly data: T; readonly meta: M }
  | { readonly ok: false; readonly failure: Failure };

export interface ExchangeClient {
  account(): Promise<ReadResult<Replies['account']>>;
  openOrders(query?: OpenOrdersQuery): Promise<ReadResult<Replies['openOrders']>>;
  orderHistory(query?: OrderHistoryQuery): Promise<ReadResult<Replies['orderHistory']>>;
  symbolConfig(): Promise<ReadResult<Replies['symbolConfig']>>;
  trades(query?: TradesQuery): Promise<ReadResult<Replies['trades']>>;
  /** Sends one order. A reduce-only MARKET order without `quantity` closes the whole position. */
  placeOrder(request: OrderRequest): Promise<PostOutcome>;
  placeBatch(requests: readonly OrderRequest[]): Promise<PostOutcome>;
  /** Sends exactly these bytes, once, after asserting that only `close-all` lacks a quantity. */
  send(endpoint: OrderEndpoint, body: string, kind: OrderKind): Promise<PostOutcome>;
  /** Exchange time − local time, ms, from `Date` headers: 0 while they agree within ±1 s, null before the first. */
  clockOffsetMs(): number | null;
  /**
   * Aborts reads, waits for orders in flight, closes the connections and wipes the secret. Later calls return
   * `because`.
   */
  close(because?: Failure): Promise<void>;
}

const CLOSED = blockedFailure('This connection is closed.', 'Select the connection again.');

export function createClient(options: ClientOptions): ExchangeClient {
  const requests = new Requests(options);
  return {
    account: () => requests.read('account', {}),
    openOrders: (query = {}) => requests.read('openOrders', query),
    orderHistory: (query = {}) => requests.read('orderHistory', query),
    symbolConfig: () => requests.read('symbolConfig', {}),
    trades: (query = {}) => requests.read('trades', query),
    placeOrder: (request) => requests.post('placeOrder', checkedOrder(request)),
    placeBatch: (rows) => requests.post('placeBatch', checkedBatch(rows)),
    send: (endpoint, body, kind) => requests.post(endpoint, checkedBody(endpoint, kind, body)),
    clockOffsetMs: () => requests.clockOffsetMs(),
    close: (because = CLOSED) => requests.close(because),
  };
}

/** Signs and sends the requests of one connection. Never keeps the options: they hold the secret, which `close` wipes. */
class Requests {
  readonly #clock: ClientOptions['clock'];
  readonly #refusalCodes: readonly string[];
  readonly #onDrift: (drift: Drift) => void;
  readonly #limit: RateLimit;
  readonly #serverClock = new ServerClock();
  readonly #transport: Transport;
  readonly #reads = new AbortController();
  readonly #orders = new Set<Promise<unknown>>();
  /** Base URL and signer, or why no request can be made. */
  #setup: Result<Usable>;

  constructor(options: ClientOptions) {
    this.#clock = options.clock;
    this.#refusalCodes = options.refusalCodes ?? [];
    this.#onDrift = options.onDrift ?? (() => undefined);
    this.#limit = options.limit ?? new RateLimit();
    this.#setup = prepare(options);
    this.#transport = createTransport({ ...TIMEOUTS, ...options.timeouts });
  }

  async read<K extends ReadEndpoint>(endpoint: K, input: unknown): Promise<ReadResult<Replies[K]>> {
    const using = this.#setup;
    if (!using.ok) return using;
    const query = queryText(endpoint, input);
    if (!query.ok) return query;
    const paused = this.#limit.failure(this.#clock.now());
    if (paused !== null) return failed(paused);
    const request = { method: 'GET', body: '', signal: this.#reads.signal } as const;
    const { wireResult, receivedAt } = await this.#exchange(
      using.data,
      request,
      ENDPOINTS[endpoint].path,
      query.data,
    );
    const result = classifyRead(endpoint, wireResult, {
      now: receivedAt,
      quote: using.data.quote,
      parse: using.data.parse,
      onDrift: this.#onDrift,
    });
    if (!result.ok)
      return result.failure.kind === 'limited' ? failed(this.#withEnd(result.failure, receivedAt)) : result;
    const { data, listed } = applyFilters(endpoint, input, result.data);
    const unreadable = filterUnreadable(input, result.unreadable);
    const latencyMs = wireResult.kind === 'reply' ? wireResult.latencyMs : 0;
    const meta = { latencyMs, listed: listed + result.unreadable.length };
    return { ok: true, data, meta: unreadable.length === 0 ? meta : { ...meta, unreadable } };
  }

  async post(endpoint: OrderEndpoint, body: Result<string>): Promise<PostOutcome> {
    const using = this.#setup;
    if (!using.ok) return blockedOutcome(using.failure);
    if (!body.ok) return blockedOutcome(body.failure);
    const paused = this.#limit.sendFailure(this.#clock.now());
    if (paused !== null) return blockedOutcome(paused);
    const request = { method: 'POST', body: body.data } as const;
    const sending = this.#exchange(using.data, request, ENDPOINTS[endpoint].path, '');
    this.#orders.add(sending);
    const { wireResult } = await sending.finally(() => this.#orders.delete(sending));
    return classifyPost(endpoint, wireResult, this.#refusalCodes, using.data.quote);
  }

  clockOffsetMs(): number | null {
    return this.#serverClock.offsetMs(this.#moment());
  }

  async close(because: Failure): Promise<void> {
    const used = this.#setup;
    this.#setup = failed(because);
    this.#reads.abort();
    await Promise.allSettled(this.#orders);
    this.#transport.close();
    if (used.ok) used.data.signer.wipe();
  }

  async #exchange(
    { base, signer }: Usable,
    request: Omit<WireRequest, 'url' | 'headers'>,
    path: string,
    query: string,
  ) {
    const { method, body } = request;
    const sent = this.#moment();
    const signed = signer.sign(
      { method, path: base.prefix + path, query, body },
      sent.wall + (this.#serverClock.offsetMs(sent) ?? 0),
    );
    const url = exactUrl(base.origin, signed.target);
    const wireResult = await this.#transport.send({ ...request, url, headers: signed.headers });
    const received = this.#moment();
    const receivedAt = received.wall;
    if (wireResult.kind === 'reply') {
      if (wireResult.date !== null) this.#serverClock.observe(sent, received, wireResult.date);
      this.#limit.note(
        wireResult.status,
        retryTime(wireResult.retryAfter, receivedAt, wireResult.date),
        receivedAt,
      );
    } else if (wireResult.status !== null && wireResult.status >= 400) {
      // A reply whose body was lost asks for a pause all the same.
      this.#limit.note(wireResult.status, null, receivedAt);
    }
    return { wireResult, receivedAt };
  }

  #moment(): Moment {
    const wall = this.#clock.now();
    return { wall, mono: this.#clock.mono?.() ?? wall };
  }

  /** Adds the end of the pause, also where the reply names none; a ban has none. */
  #withEnd(failure: Failure, now: number): Failure {
    const until = this.#limit.until(now);
    return until > 0 && Number.isFinite(until) ? { ...failure, retryAt: until } : failure;
  }
}

interface Usable {
  readonly base: BaseAddress;
  readonly signer: Signer;
  readonly quote: Quote;
  readonly parse: (text: string) => unknown;
}

/** Returns base URL and signer, or why this connection cannot be used. */
function prepare({ baseUrl, credentials, signing }: ClientOptions): Result<Usable> {
  const base = readBaseUrl(baseUrl);
  if (!base.ok) return base;
  const profile = readProfile(signing);
  if (!profile.ok) return profile;
  const signer = createSigner(profile.data, credentials);
  if (!signer.ok) return signer;
  return done({
    base: base.data,
    signer: signer.data,
    quote: createQuote(credentials),
    parse: createParser(credentials),
  });
}

function readProfile(signing: SigningProfile | PresetName): Result<SigningProfile> {
  const next = 'Choose a preset in the connection’s signing profile, or correct the field.';
  if (typeof signing === 'string')
    return Object.hasOwn(SIGNING_PRESETS, signing)
      ? done(SIGNING_PRESETS[signing].profile)
      : blocked(`There is no signing preset “${signing.slice(0, 40)}”.`, next, 'signing');
  const parsed = v.safeParse(signingProfileSchema, signing);
  if (parsed.success) return done(parsed.output);
  const [issue] = parsed.issues;
  return blocked(`Signing profile, ${v.getDotPath(issue) ?? 'profile'}: ${issue.message}.`, next, 'signing');
}

const blockedOutcome = (failure: Failure): PostOutcome => ({ outcome: 'not-sent', failure });
