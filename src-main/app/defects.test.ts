import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { done } from '../../src-shared/ipc/failures.ts';
import { watchDefects } from './defects.ts';
import type { LogFields } from './log.ts';

const SECRET = 'canary-secret';
/** An error like a library's: everything but its class name may contain the key. */
class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly options = { headers: { key: SECRET } };
}

function watched() {
  const errors = new EventEmitter();
  const lines: (LogFields & { readonly event: string })[] = [];
  const notices: string[] = [];
  let locked = false;
  const defects = watchDefects(
    {
      log: { write: (event, fields) => void lines.push({ event, ...fields }) },
      notify: (message, next) => void notices.push(`${message} ${next}`),
    },
    errors,
  );
  const session = {
    locked: () => locked,
    setLock: () => {
      locked = true;
      return Promise.resolve(done({} as never));
    },
  };
  return { errors, lines, notices, defects, session, isLocked: () => locked, unlock: () => (locked = false) };
}

describe('an error nothing caught', () => {
  it('locks trading, logs its class alone, and notifies the user what to do', () => {
    const one = watched();
    one.defects.lockBy(one.session);
    one.errors.emit('uncaughtException', new RequestError(SECRET));
    one.errors.emit('unhandledRejection', SECRET);
    expect(one.lines).toEqual([
      { event: 'defect', kind: 'uncaught', error: 'RequestError' },
      { event: 'defect', kind: 'rejection', error: 'unknown' },
    ]);
    expect(one.isLocked()).toBe(true);
    expect(one.notices).toEqual([expect.stringMatching(/Trading is locked.*Restart Ballast.*report/)]);
    expect(JSON.stringify([one.lines, one.notices])).not.toContain(SECRET);
  });

  it('locks again after it was unlocked, and notifies again', () => {
    const one = watched();
    one.defects.lockBy(one.session);
    one.errors.emit('uncaughtException', new Error('a'));
    one.unlock();
    one.errors.emit('uncaughtException', new Error('b'));
    expect([one.isLocked(), one.notices.length]).toEqual([true, 2]);
  });

  it('is reported once where trading was locked before', async () => {
    const one = watched();
    await one.session.setLock();
    one.defects.lockBy(one.session);
    one.errors.emit('uncaughtException', new Error('a'));
    one.errors.emit('uncaughtException', new Error('b'));
    expect([one.notices.length, one.lines.length]).toEqual([1, 2]);
  });

  it('before there is a session is known to its start', () => {
    const one = watched();
    expect(one.defects.seen()).toBe(false);
    one.errors.emit('unhandledRejection', new Error('early'));
    expect([one.defects.seen(), one.notices.length]).toEqual([true, 1]);
  });
});
