import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateLevel, type Level, type Status, UNRAISED } from './hysteresis.ts';

const MINUTE = 60_000;
const statuses = fc.array(
  fc.record({
    status: fc.constantFrom<Status>('over', 'between', 'clear', null),
    after: fc.integer({ min: 0, max: 20 * MINUTE }),
  }),
  { maxLength: 60 },
);

/** Returns when the level fired and whether it was raised after each reading. */
function play(
  readings: readonly { status: Status; after: number }[],
  repeatMinutes: number | null,
): { fired: number[]; raised: boolean[] } {
  let level: Level = UNRAISED;
  let now = 1_763_000_000_000;
  const fired: number[] = [];
  const raised: boolean[] = [];
  for (const { status, after } of readings) {
    now += after;
    const next = evaluateLevel(level, status, now, repeatMinutes);
    level = next.level;
    raised.push(level.raised);
    if (next.fires) fired.push(now);
  }
  return { fired, raised };
}
const at = (status: Status, minutes: number) => ({ status, after: minutes * MINUTE });

describe('a level', () => {
  it('fires at its threshold, again after the repeat interval while it lasts, and not in between', () => {
    const { fired } = play([at('over', 0), at('over', 4), at('over', 1), at('over', 4), at('over', 1)], 5);
    expect(fired.map((one) => (one - 1_763_000_000_000) / MINUTE)).toEqual([0, 5, 10]);
  });

  it('fires once each time it is raised without a repeat interval', () => {
    expect(play([at('over', 0), at('over', 600), at('clear', 1), at('over', 1)], null).fired).toHaveLength(2);
  });

  it('never fires twice within the repeat interval', () => {
    fc.assert(
      fc.property(statuses, fc.integer({ min: 1, max: 60 }), (readings, minutes) => {
        const { fired } = play(readings, minutes);
        fired.forEach((one, index) => {
          const before = fired[index - 1];
          if (before !== undefined) expect(one - before).toBeGreaterThanOrEqual(minutes * MINUTE);
        });
      }),
    );
  });

  it('does not flap: fires once until a reading clears the band', () => {
    const inside = statuses.map((all) => all.filter((one) => one.status !== 'clear'));
    fc.assert(
      fc.property(inside, (readings) => {
        expect(play(readings, null).fired.length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('ignores unknown readings', () => {
    fc.assert(
      fc.property(statuses, fc.option(fc.integer({ min: 1, max: 60 })), (readings, minutes) => {
        let level: Level = UNRAISED;
        for (const [index, { status }] of readings.entries()) {
          level = evaluateLevel(level, status, index * MINUTE, minutes).level;
          expect(evaluateLevel(level, null, index * MINUTE, minutes)).toEqual({ level, fires: false });
        }
      }),
    );
  });

  it('is monotone: a worse series fires no later and is raised whenever the better one is', () => {
    const ORDER: readonly Status[] = ['clear', 'between', 'over'];
    const pairs = fc.array(
      fc.record({
        better: fc.integer({ min: 0, max: 2 }),
        worse: fc.integer({ min: 0, max: 2 }),
        after: fc.integer({ min: 0, max: 20 * MINUTE }),
      }),
    );
    fc.assert(
      fc.property(pairs, fc.option(fc.integer({ min: 1, max: 60 })), (all, minutes) => {
        const of = (pick: (one: (typeof all)[number]) => number) =>
          play(
            all.map((one) => ({ status: ORDER[pick(one)] ?? null, after: one.after })),
            minutes,
          );
        const better = of((one) => Math.min(one.better, one.worse));
        const worse = of((one) => Math.max(one.better, one.worse));
        better.raised.forEach((raised, index) => {
          if (raised) expect(worse.raised[index]).toBe(true);
        });
        if (better.fired[0] !== undefined) expect(worse.fired[0]).toBeLessThanOrEqual(better.fired[0]);
      }),
    );
  });

  it('fires after the clock was set back', () => {
    const { level } = evaluateLevel(UNRAISED, 'over', 10 * MINUTE, 5);
    expect(evaluateLevel(level, 'over', 2 * MINUTE, 5).fires).toBe(true);
  });
});
