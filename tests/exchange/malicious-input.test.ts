import { describe, expect, it } from 'vitest';
import { hostileFields, hostileReplies } from './malicious-input.ts';

/** The short form of tests/stress/malicious-input.ts. */
describe('a hostile exchange', () => {
  const SOME = ['image that fails', 'prototype object', 'lone surrogates'];

  it('runs nothing by any field of any endpoint, and is told what is wrong with which', async () => {
    const { faults, taken, refused } = await hostileFields(({ name }) => SOME.includes(name));
    expect(faults).toEqual([]);
    expect(taken).toBeGreaterThan(50);
    expect(refused).toBeGreaterThan(50);
  });

  it('cannot hang or fill the app by endless, slow, zipped or nested replies', async () => {
    const { faults, slowestMs } = await hostileReplies({ read: 1_500, order: 1_500 });
    expect(faults).toEqual([]);
    expect(slowestMs).toBeLessThan(10_000);
  });
});
