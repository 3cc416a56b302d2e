import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { followJob } from './worker-job.ts';

const follow = (code: string, removeUnfinished: () => Promise<void>) =>
  followJob(new Worker(code, { eval: true }), {
    progress: () => undefined,
    stopped: 'The check stopped',
    next: 'Try again.',
    removeUnfinished,
  });

it('ends a cancelled job by null, once what it left is removed', async () => {
  const begun = Promise.withResolvers<undefined>();
  const removed = Promise.withResolvers<undefined>();
  const job = follow('setInterval(() => undefined, 1000)', () => {
    begun.resolve(undefined);
    return removed.promise;
  });
  let isOver = false;
  const cancelled = job.cancel().then(() => (isOver = true));
  await begun.promise;
  // A scanner may hold the file, which blocks nothing here.
  await setImmediate();
  expect(isOver).toBe(false);
  removed.resolve(undefined);
  await cancelled;
  expect(await job.ended).toEqual({ ok: true, data: null });
});

it('ends a job whose unfinished file cannot be deleted, as while a virus scanner holds it', async () => {
  const held = () => Promise.reject(Object.assign(new Error('/home/me/x.part'), { code: 'EBUSY' }));
  const left = expect.stringContaining('could not be deleted (EBUSY)');
  const cancelled = follow('setInterval(() => undefined, 1000)', held);
  await cancelled.cancel();
  expect(await cancelled.ended).toMatchObject({ ok: false, failure: { kind: 'file', message: left } });
  const broken = follow('throw new Error("no memory")', held);
  expect(await broken.ended).toMatchObject({
    failure: { kind: 'bug', message: 'The check stopped: no memory', next: left },
  });
});
