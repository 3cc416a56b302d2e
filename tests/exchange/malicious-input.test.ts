import { describe, expect, it } from 'vitest';
import { sendFieldPayloads, sendReplyPayloads } from './malicious-input.ts';

/** The short form of tests/stress/malicious-input.ts. */
describe('a malicious exchange', () => {
  const SOME = ['image that fails', 'prototype object', 'lone surrogates'];

  it('runs nothing through any field of any endpoint, and names each invalid field', async () => {
    const { faults, taken, refused } = await sendFieldPayloads(({ name }) => SOME.includes(name));
    expect(faults).toEqual([]);
    expect(taken).toBeGreaterThan(50);
    expect(refused).toBeGreaterThan(50);
  });

  it('cannot block the app or exhaust its memory by endless, slow, zipped or nested replies', async () => {
    const { faults, slowestMs } = await sendReplyPayloads({ read: 1_500, order: 1_500 });
    expect(faults).toEqual([]);
    expect(slowestMs).toBeLessThan(10_000);
  });
});
