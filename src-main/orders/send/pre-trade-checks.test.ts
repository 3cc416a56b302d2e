import { describe, expect, it } from 'vitest';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import { fixture, intent, lost, token } from '../../../tests/orders/scripted-order-service.ts';
import { PRACTICE } from '../../../tests/orders/simple-order-service.ts';
import { heldFailure, SymbolLocks, LOCKED, tradingFailure } from './pre-trade-checks.ts';

interface Change {
  readonly readOnly?: boolean;
  readonly verified?: boolean;
  readonly locked?: boolean;
  readonly pause?: Failure | null;
  /** The key at the review. */
  readonly reviewed?: string;
}
const failureOf = (change: Change = {}): Failure | null => {
  const { readOnly = false, verified = true, locked = false, pause = null, reviewed = 'a' } = change;
  const summary = { ...PRACTICE, verified, settings: { ...PRACTICE.settings, readOnly } };
  const account = (key: string) => ({ address: 'test', key, uid: null });
  const connection = { summary, pauseFailure: () => pause, account: () => account('a') };
  return tradingFailure(connection as never, locked ? LOCKED : null, account(reviewed));
};
const limited: Failure = { kind: 'limited', message: '23 s left.', next: 'Ballast resumes.', retryAt: 5 };

describe('what blocks every order', () => {
  it.each([
    [{ reviewed: 'b' }, 'Practice was changed since the review', 'Review the order again'],
    [{ locked: true }, 'Trading is locked.', 'Unlock trading in the top bar'],
    [{ readOnly: true }, 'Practice is read-only.', 'Turn read-only off'],
    [
      { verified: false },
      'Trading is off until a test of this connection succeeds.',
      'Run the connection test',
    ],
    [{ pause: limited }, '23 s left.', 'Ballast resumes.'],
  ])('%o is blocked with the way out', (change, message, next) => {
    expect(failureOf(change)).toMatchObject({
      kind: 'blocked',
      field: 'account',
      message: expect.stringContaining(message),
      next: expect.stringContaining(next),
    });
  });

  it('is nothing on a verified, unlocked connection', () => {
    expect(failureOf()).toBeNull();
  });
});

describe('an order that is held', () => {
  it('names an unknown outcome before damage, and what to type', async () => {
    const b = await fixture();
    b.answers = [lost];
    await b.orders.send(token(b.orders, intent()), null);
    const ids = b.journal.list('practice').map((one) => one.id);
    const unknown = {
      kind: 'blocked',
      field: 'order',
      message: 'The outcome of an earlier BTC-USDT-M order on this side is unknown.',
      next: 'Type BTC-USDT-M to send another one, or resolve the earlier one under Activity.',
    };
    expect(heldFailure(b.journal, ids, 'BTC-USDT-M')).toEqual(unknown);
    expect(heldFailure(b.journal, ['damage-1', ...ids], 'BTC-USDT-M')).toEqual(unknown);
    expect(heldFailure(b.journal, ['damage-1'], 'BTC-USDT-M')).toEqual({
      ...unknown,
      message: 'A line of the order journal is damaged: an order for BTC-USDT-M may have been sent.',
      next: 'Type BTC-USDT-M to send another one, or acknowledge the damage under Activity.',
    });
  });
});

describe('symbol locks', () => {
  it('lock a symbol of one connection until it is unlocked', () => {
    const locks = new SymbolLocks();
    expect(locks.tryLock('a', ['BTC', 'ETH'])).toBeNull();
    expect(locks.tryLock('a', ['ETH'])).toBe('ETH');
    expect(locks.tryLock('a', ['LTC'])).toBeNull();
    expect(locks.tryLock('b', ['ETH'])).toBeNull();
    locks.unlock('a', ['BTC']);
    expect([locks.tryLock('a', ['ETH']), locks.tryLock('a', ['BTC'])]).toEqual(['ETH', null]);
  });

  it('lock all symbols or none', () => {
    const locks = new SymbolLocks();
    locks.tryLock('a', ['ETH']);
    expect(locks.tryLock('a', ['BTC', 'ETH'])).toBe('ETH');
    expect(locks.tryLock('a', ['BTC'])).toBeNull();
  });
});
