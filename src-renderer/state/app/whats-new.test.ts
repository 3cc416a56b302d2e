import { expect, it } from 'vitest';
import { changesSince } from './whats-new.ts';

it('returns the versions after the last one seen, compared as numbers', () => {
  const all = ['0.10.0', '0.9.1', '0.9.0'].map((version) => ({ version, lines: ['x'] }));
  const after = (seen: string): string[] => changesSince(seen, all).map((one) => one.version);
  expect([after('0.9.0'), after('0.10.0'), after('0.8')]).toEqual([
    ['0.10.0', '0.9.1'],
    [],
    ['0.10.0', '0.9.1', '0.9.0'],
  ]);
});
