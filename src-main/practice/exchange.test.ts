import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startPractice, type Practice } from '../../src-practice/index.ts';
import { PracticeExchange, practiceLine } from './exchange.ts';

let practice: Practice;
beforeEach(async () => {
  practice = await startPractice({ seed: 7, speed: 0, history: 0 });
});
afterEach(() => practice.stop());

const clock = { mono: () => 0 };
const own = (): PracticeExchange =>
  new PracticeExchange(null, { start: () => Promise.resolve(practice), clock });
const startedManually = (more: object = {}): PracticeExchange => {
  const { url, credentials, controls } = practice;
  const line = JSON.stringify({ url, ...credentials, controls, ...more });
  return new PracticeExchange(practiceLine(line), {
    start: () => Promise.reject(new Error('not started')),
    clock,
  });
};
function session(id = 'practice') {
  const reopened: number[] = [];
  return {
    reopened,
    reopen: (one: string) => {
      if (one === id) reopened.push(1);
      return Promise.resolve();
    },
  };
}

const OTHER = { triggerTypes: ['MARKET_PRICE', 'FAIR_PRICE'], convention: 'marginal' };
const RESET = {
  do: 'reset',
  habits: { 'trigger-names': 'market-fair', tiers: 'marginal' },
} as const;

describe('the line of one that was started manually', () => {
  const line = { url: 'http://127.0.0.1:8080', key: 'practice-key', secret: 'kept-to-itself' };
  it.each([
    ['half a line', '{"url":', /its JSON is missing or not as printed/i],
    [
      'another address',
      JSON.stringify({ ...line, url: 'http://[::1]:8080' }),
      /http:\/\/127\.0\.0\.1 and a port/,
    ],
    ['no secret', JSON.stringify({ ...line, secret: 7 }), /its secret is missing/i],
    [
      'an address of controls',
      JSON.stringify({ ...line, controls: { url: 'http://localhost:1', token: '' } }),
      /its controls\.url must be/i,
    ],
  ])('is refused by name with %s, and not shown', (_what, text, message) => {
    expect(() => practiceLine(text)).toThrow(message);
    expect(() => practiceLine(text)).not.toThrow(line.secret);
  });
});

describe('a practice exchange that restarted with other habits', () => {
  it('is reopened with matching settings', async () => {
    const [exchange, here, elsewhere] = [own(), session(), session('live')];
    const first = await exchange.access();
    expect(await exchange.state(here)).toMatchObject({ ok: true });
    expect(here.reopened).toEqual([]);
    expect(await exchange.change(here, RESET)).toMatchObject({ ok: true });
    expect(here.reopened).toEqual([1]);
    const second = await exchange.access();
    expect(second).toMatchObject({ url: practice.url, settings: OTHER });
    expect(second.exchangeId).not.toBe(first.exchangeId);
    expect(await exchange.change(elsewhere, { do: 'reset' })).toMatchObject({ ok: true });
    expect(elsewhere.reopened).toEqual([]);
  });

  it('is not restarted if it was started manually', async () => {
    const [exchange, here] = [startedManually(), session()];
    expect(await exchange.change(here, RESET)).toMatchObject({
      failure: { kind: 'blocked', next: 'Start it again with --habit NAME=VALUE or --habits FILE.' },
    });
    expect(await exchange.change(here, { do: 'reset' })).toMatchObject({ ok: true });
    expect(here.reopened).toEqual([]);
  });
});

it('has no controls before it runs, or where its line names none', async () => {
  expect(await own().habits()).toMatchObject({ failure: { next: 'Switch to Practice first.' } });
  expect(await startedManually({ controls: undefined }).habits()).toMatchObject({
    failure: { next: 'Start Ballast with the full line it printed, or control it where it runs.' },
  });
  expect(await startedManually().habits()).toMatchObject({ ok: true });
});

it('a printed line names its settings where they are not the usual ones', async () => {
  expect(await startedManually().access()).toMatchObject({
    settings: { triggerTypes: ['LAST_PRICE', 'MARK_PRICE'], convention: 'flat' },
  });
  expect(await startedManually({ settings: OTHER }).access()).toMatchObject({ settings: OTHER });
});

describe('a practice exchange that could not start', () => {
  it('is started again when it is needed again', async () => {
    const results = [() => Promise.reject(new Error('port in use')), () => Promise.resolve(practice)];
    const exchange = new PracticeExchange(null, { start: () => results.shift()!(), clock });
    await expect(exchange.access()).rejects.toThrow('port in use');
    expect(await exchange.access()).toMatchObject({ url: practice.url, own: true });
    expect(results).toEqual([]);
  });

  it('does not keep the app from quitting', async () => {
    const exchange = new PracticeExchange(null, {
      start: () => Promise.reject(new Error('port in use')),
      clock,
    });
    const opening = exchange.access();
    await exchange.stop();
    await expect(opening).rejects.toThrow('port in use');
  });
});

describe('a practice exchange that ended by itself', () => {
  function started() {
    const state = { now: 0, ended: [] as (() => void)[], reported: [] as boolean[] };
    const exchange = new PracticeExchange(null, {
      start(ended) {
        state.ended.push(ended);
        return Promise.resolve(practice);
      },
      clock: { mono: () => state.now },
    });
    exchange.onEnded((restarts) => state.reported.push(restarts));
    return { exchange, state };
  }

  it('is started again, and is reported', async () => {
    const { exchange, state } = started();
    await exchange.access();
    state.now = 60_000;
    state.ended[0]?.();
    // Its files go by its name, also until it runs again.
    expect([state.reported, exchange.known()?.exchangeId]).toEqual([[true], practice.exchangeId]);
    expect(await exchange.access()).toMatchObject({ url: practice.url, own: true });
    expect(state.ended).toHaveLength(2);
  });

  it('is not started again soon after its start', async () => {
    const { exchange, state } = started();
    await exchange.access();
    state.now = 59_999;
    state.ended[0]?.();
    await exchange.access();
    expect([state.reported, state.ended.length]).toEqual([[false], 1]);
  });
});
