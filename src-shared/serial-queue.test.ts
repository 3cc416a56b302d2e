import { describe, expect, it } from 'vitest';
import { SerialQueue } from './serial-queue.ts';

describe('a serial queue', () => {
  it('runs one task at a time, in order, also after a failure', async () => {
    const queue = new SerialQueue();
    const log: string[] = [];
    const work =
      (name: string, fails = false) =>
      async () => {
        log.push(`${name} begins`);
        await Promise.resolve();
        log.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      };
    const results = await Promise.allSettled([
      queue.run(work('a')),
      queue.run(work('b', true)),
      queue.run(work('c')),
    ]);
    expect(log).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('is idle once its tasks have ended, and holds no result', async () => {
    const queue = new SerialQueue();
    let ended = false;
    void queue.run(async () => {
      await Promise.resolve();
      ended = true;
      return 'secret';
    });
    expect(await queue.idle()).toBeUndefined();
    expect(ended).toBe(true);
  });
});
