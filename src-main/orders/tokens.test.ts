import { expect, it } from 'vitest';
import { createTokens } from './tokens.ts';

function tokens() {
  let now = 0;
  let next = 0;
  return {
    ...createTokens<string>(
      () => now,
      () => `t${next++}`,
    ),
    pass: (ms: number) => void (now += ms),
  };
}

it('a token is good for one spending', () => {
  const one = tokens();
  const { token } = one.open('an order');
  expect(one.spend(token)).toBe('an order');
  expect(one.spend(token)).toBeNull();
});

it('a token that expired or was dropped is good for none', () => {
  const one = tokens();
  const dropped = one.open('dropped').token;
  one.drop(dropped);
  expect(one.spend(dropped)).toBeNull();
  const { token, expiresAt } = one.open('late');
  one.pass(expiresAt);
  expect(one.spend(token)).toBeNull();
  expect(one.spend('never given')).toBeNull();
});
