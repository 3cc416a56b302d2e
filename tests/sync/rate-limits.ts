/**
 * Days of an exchange that limits, fails and disappears, and of a computer whose clock jumps, against the real
 * polling and its backoff on an injected clock. Compares the requests with what the true time allowed.
 */
import { classifyRead } from '../../src-main/exchange/read-outcome.ts';
import type { WireResult } from '../../src-main/exchange/transport.ts';
import { FEED_INTERVAL_MS, type FeedName } from '../../src-shared/ipc/feeds.ts';
import type { ReadEndpoint } from '../../src-shared/exchange-api/endpoints.ts';
import { ManualTime } from '../shared/manual-time.ts';
import { parseLossless } from '../../src-shared/exchange-api/lossless-json.ts';
import { createRandom, type SeededRandom } from '../shared/seeded-random.ts';
import { FeedSet } from '../../src-main/sync/feeds.ts';
import { RateLimit, retryTime } from '../../src-main/exchange/rate-limit.ts';
import { RequestLimiter } from '../../src-main/sync/request-limiter.ts';
import { wireReply } from '../exchange/wire-reply.ts';

export interface RateLimitFigures {
  days: number;
  requests: number;
  /** Replies with Retry-After, or with a ban. */
  limits: number;
  clockJumps: number;
  insideRetryAfter: number;
  /** Started while the resource's last request had no reply. */
  twoInFlight: number;
  /** Without `Retry-After`, earlier than 60 s. */
  afterBareLimit: number;
  afterStop: number;
  /** Started while the breaker had to be open. */
  throughBreaker: number;
  /** A web page, a rejection or half a reply taken for data. */
  wronglyFresh: number;
  /** Days after which something did not recover although everything worked again. */
  stuck: number;
}
export const NO_RATE_LIMIT_FIGURES: RateLimitFigures = {
  days: 0,
  requests: 0,
  limits: 0,
  clockJumps: 0,
  insideRetryAfter: 0,
  twoInFlight: 0,
  afterBareLimit: 0,
  afterStop: 0,
  throughBreaker: 0,
  wronglyFresh: 0,
  stuck: 0,
};

const START = Date.UTC(2026, 10, 21);
const HOUR = 3_600_000;
const ENDPOINT: Readonly<Record<FeedName, ReadEndpoint>> = {
  account: 'account',
  openOrders: 'openOrders',
  history: 'orderHistory',
  contracts: 'symbolConfig',
};
const NAMES = Object.keys(FEED_INTERVAL_MS) as FeedName[];

type Kind = 'good' | 'retry-after' | 'bare' | 'stop' | '503' | 'offline' | 'portal' | 'cut';
const GOOD = '{"code":"0","msg":"success","success":true,"data":[]}';
const ACCOUNT = '{"code":"1","msg":"not in this play","success":false,"data":null}';

function resultOf(
  kind: Kind,
  name: FeedName,
  seconds: number,
  wall: number,
  random: SeededRandom,
): WireResult {
  const reply = (status: number, body: string, retryAfter: string | null = null): WireResult =>
    wireReply(body, { status, retryAfter, latencyMs: 5 });
  switch (kind) {
    case 'good':
      return reply(200, name === 'account' ? ACCOUNT : GOOD);
    case 'retry-after': {
      const date = new Date(Math.ceil(wall / 1000) * 1000 + seconds * 1000).toUTCString();
      return reply(random.one([429, 429, 503]), '', random.often(50) ? String(seconds) : date);
    }
    case 'bare':
      return reply(429, '');
    case 'stop':
      return reply(418, '', random.often(50) ? '1' : null);
    case '503':
      return reply(503, '<html>busy</html>');
    case 'portal':
      return reply(200, '<!doctype html><title>Sign in to this network</title>');
    case 'cut':
      return reply(200, GOOD.slice(0, random.below(GOOD.length)));
    case 'offline':
      return { kind: 'failure', stage: 'before-send', cause: 'dns', code: 'ENOTFOUND', status: null };
  }
}

/** Simulates one day of `hours`. */
export async function simulateDay(seed: number, hours = 24): Promise<RateLimitFigures> {
  const random = createRandom(seed);
  const figures = { ...NO_RATE_LIMIT_FIGURES, days: 1 };
  /** True time, known only to the test and the steady clock; the wall clock is off by `jump`. */
  const time = new ManualTime(0);
  let jump = 0;
  const clock = { now: () => START + time.now() + jump, mono: time.mono };
  /** The exchange's current condition. */
  let condition: Kind = 'good';
  let allowedFrom = 0;
  let bareUntil = 0;
  const ban = { on: false };
  let failed: number[] = [];
  let breakerUntil = -1;
  const inFlight = new Set<FeedName>();
  const limit = new RateLimit(time.now);
  const limiter = new RequestLimiter(limit, clock);

  const read = (name: FeedName) => (): Promise<never> => {
    figures.requests++;
    if (inFlight.has(name)) figures.twoInFlight++;
    if (time.now() < allowedFrom) figures.insideRetryAfter++;
    else if (time.now() < bareUntil) figures.afterBareLimit++;
    if (ban.on) figures.afterStop++;
    if (time.now() < breakerUntil) figures.throughBreaker++;
    inFlight.add(name);
    const kind = condition === 'good' || random.often(85) ? condition : 'good';
    const seconds = 1 + random.below(300);
    const { promise, resolve } = Promise.withResolvers<never>();
    time.after(random.often(5) ? 9_000 : 5 + random.below(400), () => {
      inFlight.delete(name);
      const wall = clock.now();
      const wire = resultOf(kind, name, seconds, wall, random);
      // As the client does with every reply.
      if (wire.kind === 'reply') limit.note(wire.status, retryTime(wire.retryAfter, wall, wire.date), wall);
      const judged = classifyRead(ENDPOINT[name], wire, {
        now: wall,
        quote: (text) => text,
        parse: parseLossless,
        onDrift: () => undefined,
      });
      if (judged.ok && kind !== 'good') figures.wronglyFresh++;
      if (kind === 'retry-after') allowedFrom = Math.max(allowedFrom, time.now() + seconds * 1000);
      if (kind === 'bare') bareUntil = Math.max(bareUntil, time.now() + 60_000);
      if (kind === 'stop') ban.on = true;
      if (['retry-after', 'bare', 'stop'].includes(kind)) figures.limits++;
      countFailure(judged.ok, judged.ok ? null : judged.failure.kind);
      resolve((judged.ok ? { ...judged, meta: { latencyMs: 5 } } : judged) as never);
    });
    return promise;
  };

  /** 5 failures in 30 s: nothing for 15 s, unless a reply in flight succeeds. */
  function countFailure(ok: boolean, kind: string | null): void {
    if (ok) {
      failed = [];
      breakerUntil = -1;
    } else if (kind !== 'limited') {
      failed = [...failed.filter((at) => time.now() - at < 30_000), time.now()];
      if (failed.length >= 5) breakerUntil = time.now() + 15_000;
    }
  }

  /** A manual refresh, which an open breaker lets through. */
  function refresh(): void {
    ban.on = false;
    limiter.resume();
    failed = [];
    breakerUntil = -1;
  }

  const feeds = new FeedSet({
    intervalFactor: () => 1,
    reads: {
      account: read('account'),
      openOrders: read('openOrders'),
      history: read('history'),
      contracts: read('contracts'),
    },
    limiter,
    clock,
    timers: time,
    changed: () => undefined,
  });

  feeds.start();
  while (time.now() < hours * HOUR) {
    condition = random.often(50)
      ? 'good'
      : random.one(['retry-after', 'bare', 'stop', '503', 'offline', 'portal', 'cut'] as const);
    if (random.often(30)) {
      // Set by a user or a time server, or resumed after sleep.
      jump += (random.often(50) ? 1 : -1) * random.below(3 * HOUR);
      figures.clockJumps++;
    }
    if (random.often(20)) for (const name of NAMES) feeds.refresh(name);
    await time.pass(10_000 + random.below(600_000));
    if (ban.on && random.often(50)) refresh();
  }
  // Everything works again: after the longest possible pause, all feeds have recovered.
  condition = 'good';
  refresh();
  await time.pass(20 * 60_000);
  if (['openOrders', 'history'].some((name) => feeds.get(name as FeedName).failure !== null)) figures.stuck++;
  feeds.stop();
  return figures;
}
