import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge, type Level, type Standing, UNRAISED } from './hysteresis.ts';

const MINUTE = 60_000;
const standings = fc.array(
  fc.record({
    standing: fc.constantFrom<Standing>('over', 'between', 'clear', null),
    after: fc.integer({ min: 0, max: 20 * MINUTE }),
  }),
  { maxLength: 60 },
);

/** When each telling was, and the level at the end. */
function play(
  readings: readonly { standing: Standing; after: number }[],
  repeatMinutes: number | null,
): { told: number[]; raised: boolean[] } {
  let level: Level = UNRAISED;
  let now = 1_763_000_000_000;
  const told: number[] = [];
  const raised: boolean[] = [];
  for (const { standing, after } of readings) {
    now += after;
    const next = judge(level, standing, now, repeatMinutes);
    level = next.level;
    raised.push(level.raised);
    if (next.tell) told.push(now);
  }
  return { told, raised };
}
const at = (standing: Standing, minutes: number) => ({ standing, after: minutes * MINUTE });

describe('a level', () => {
  it('is told at its threshold, again after the pause while it lasts, and not in between', () => {
    const { told } = play([at('over', 0), at('over', 4), at('over', 1), at('over', 4), at('over', 1)], 5);
    expect(told.map((one) => (one - 1_763_000_000_000) / MINUTE)).toEqual([0, 5, 10]);
  });

  it('without a repeat is told once each time it begins', () => {
    expect(play([at('over', 0), at('over', 600), at('clear', 1), at('over', 1)], null).told).toHaveLength(2);
  });

  it('never tells twice inside the pause', () => {
    fc.assert(
      fc.property(standings, fc.integer({ min: 1, max: 60 }), (readings, minutes) => {
        const { told } = play(readings, minutes);
        told.forEach((one, index) => {
          const before = told[index - 1];
          if (before !== undefined) expect(one - before).toBeGreaterThanOrEqual(minutes * MINUTE);
        });
      }),
    );
  });

  it('does not flap: without a reading beyond the band it begins once, whatever it does in between', () => {
    const inside = standings.map((all) => all.filter((one) => one.standing !== 'clear'));
    fc.assert(
      fc.property(inside, (readings) => {
        expect(play(readings, null).told.length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('changes nothing by what is not known, and says nothing', () => {
    fc.assert(
      fc.property(standings, fc.option(fc.integer({ min: 1, max: 60 })), (readings, minutes) => {
        let level: Level = UNRAISED;
        for (const [index, { standing }] of readings.entries()) {
          level = judge(level, standing, index * MINUTE, minutes).level;
          expect(judge(level, null, index * MINUTE, minutes)).toEqual({ level, tell: false });
        }
      }),
    );
  });

  it('is monotone: what is never better begins no later and is raised whenever the other is', () => {
    const ORDER: readonly Standing[] = ['clear', 'between', 'over'];
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
            all.map((one) => ({ standing: ORDER[pick(one)] ?? null, after: one.after })),
            minutes,
          );
        const better = of((one) => Math.min(one.better, one.worse));
        const worse = of((one) => Math.max(one.better, one.worse));
        better.raised.forEach((raised, index) => {
          if (raised) expect(worse.raised[index]).toBe(true);
        });
        if (better.told[0] !== undefined) expect(worse.told[0]).toBeLessThanOrEqual(better.told[0]);
      }),
    );
  });

  it('is not silenced by a clock that was set back', () => {
    const { level } = judge(UNRAISED, 'over', 10 * MINUTE, 5);
    expect(judge(level, 'over', 2 * MINUTE, 5).tell).toBe(true);
  });

  it('counts as told where something graver was told in its place', () => {
    const first = judge(UNRAISED, 'over', 0, 5, true);
    expect(first).toEqual({ level: { raised: true, toldAt: 0 }, tell: false });
    expect(judge(first.level, 'over', 4 * MINUTE, 5).tell).toBe(false);
    expect(judge(first.level, 'over', 5 * MINUTE, 5).tell).toBe(true);
  });
});
