import { describe, expect, it } from 'vitest';
import type { Failure } from '../../src-shared/ipc/failures.ts';
import { RateLimit } from '../exchange/rate-limit.ts';
import { createGate } from './request-limiter.ts';

const offline: Failure = { kind: 'offline', message: '', next: '' };
const limited: Failure = { kind: 'limited', status: 429, message: '', next: '' };

describe('gate', () => {
  it('stays shut while the rate limit forbids asking, whoever met it', () => {
    const limit = new RateLimit();
    const gate = createGate(limit);
    limit.note(429, 5_000, 1_000);
    expect(gate.enter(4_999)).toBe(false);
    expect(gate.closedUntil(4_999)).toBe(5_000);
    expect(gate.enter(5_000)).toBe(true);
  });

  it('opens after 5 failures in 30 s, then lets one caller try', () => {
    const gate = createGate(new RateLimit());
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

  it('does not open for failures spread wider than 30 s, nor for an exchange that asks to wait', () => {
    const gate = createGate(new RateLimit());
    for (let i = 0; i < 20; i++) gate.failed(offline, i * 8_000);
    expect(gate.enter(20 * 8_000)).toBe(true);
    for (let i = 0; i < 20; i++) gate.failed(limited, 160_000 + i);
    expect(gate.enter(161_000)).toBe(true);
  });

  it('lets the user resume after a ban', () => {
    const limit = new RateLimit();
    const gate = createGate(limit);
    limit.note(418, 2_000, 0);
    expect(gate.enter(10 ** 12)).toBe(false);
    gate.resume();
    expect(gate.enter(10 ** 12)).toBe(true);
  });
});
