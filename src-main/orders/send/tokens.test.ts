import { expect, it } from 'vitest';
import { Tokens } from './tokens.ts';

function tokens() {
  let now = 0;
  let set = 0;
  let next = 0;
  const clock = { now: () => now + set, mono: () => now };
  return Object.assign(new Tokens<string>(clock, () => `t${next++}`), {
    pass: (ms: number) => void (now += ms),
    setClock: (ms: number) => void (set += ms),
  });
}

it('a token is good for one spending', () => {
  const one = tokens();
  const { token } = one.issue('an order');
  expect(one.consume(token)).toBe('an order');
  expect(one.consume(token)).toBeNull();
});

it('a token that expired or was dropped is good for none', () => {
  const one = tokens();
  const dropped = one.issue('dropped').token;
  one.revoke(dropped);
  expect(one.consume(dropped)).toBeNull();
  const { token, expiresAt } = one.issue('late');
  one.pass(expiresAt);
  expect(one.consume(token)).toBeNull();
  expect(one.consume('never given')).toBeNull();
  // Issuing another revives none.
  const { token: later } = one.issue('later');
  expect([one.consume(token), one.consume(later)]).toEqual([null, 'later']);
});

it('a token lives no longer when the clock is set back', () => {
  const one = tokens();
  const { token } = one.issue('an order');
  one.setClock(-3_600_000);
  one.pass(120_000);
  expect(one.consume(token)).toBeNull();
});
