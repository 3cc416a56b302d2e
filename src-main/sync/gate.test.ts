import { describe, expect, it } from 'vitest';
import type { Failure } from '../../src-shared/contract/failures.ts';
import { createGate } from './gate.ts';

const offline: Failure = { kind: 'offline', message: '', next: '' };
const limited = (retryAt?: number): Failure => ({
  kind: 'limited',
  status: 429,
  message: '',
  next: '',
  ...(retryAt === undefined ? {} : { retryAt }),
});

describe('gate', () => {
  it('obeys Retry-After to the millisecond', () => {
    const gate = createGate();
    gate.failed(limited(5_000), 1_000);
    expect(gate.enter(4_999)).toBe(false);
    expect(gate.enter(5_000)).toBe(true);
  });

  it('waits 60 s after a bare 429 and doubles up to 15 min', () => {
    const gate = createGate();
    let now = 0;
    const waits: number[] = [];
    for (let i = 0; i < 7; i++) {
      gate.failed(limited(), now);
      const until = gate.closedUntil(now);
      waits.push((until - now) / 60_000);
      now = until;
    }
    expect(waits).toEqual([1, 2, 4, 8, 15, 15, 15]);
  });

  it('opens after 5 failures in 30 s, then lets one caller try', () => {
    const gate = createGate();
    for (let at = 0; at < 4; at++) gate.failed(offline, at);
    expect(gate.enter(4)).toBe(true);
    gate.failed(offline, 5);
    expect(gate.enter(6)).toBe(false);
    const until = gate.closedUntil(6);
    expect(gate.enter(until)).toBe(true);
    expect(gate.enter(until)).toBe(false);
    gate.failed(offline, until);
    expect(gate.enter(until + 1)).toBe(false);
    const later = gate.closedUntil(until + 1);
    expect(gate.enter(later)).toBe(true);
    gate.succeeded();
    expect(gate.enter(later)).toBe(true);
    expect(gate.enter(later)).toBe(true);
  });

  it('does not open for failures spread wider than 30 s', () => {
    const gate = createGate();
    for (let i = 0; i < 20; i++) gate.failed(offline, i * 8_000);
    expect(gate.enter(20 * 8_000)).toBe(true);
  });

  it('stops everything at 418 until the person resumes', () => {
    const gate = createGate();
    gate.failed({ ...limited(2_000), status: 418 }, 0);
    expect(gate.enter(10 ** 12)).toBe(false);
    gate.resume();
    expect(gate.enter(10 ** 12)).toBe(true);
  });
});
