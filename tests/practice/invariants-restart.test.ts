import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode, encode } from '../../src-practice/checkpoint.ts';
import { begin, optionsOf, play, replies } from './play.ts';
import { START } from './engine-of.ts';
import { CONTRACTS, session } from './session.ts';
import type { Session } from './session.ts';
import { Engine } from '../../src-practice/engine/engine.ts';
import type { Timed } from '../../src-practice/engine/recording.ts';
import { replay } from '../../src-practice/engine/replay.ts';

/** As in invariants.test.ts. */
const MORE = Number(process.env['PRACTICE_SESSIONS'] ?? 1);

function takenUp(each: Session, text: string): Engine {
  const saved = decode(text);
  if (!saved) throw new Error('not a saved exchange');
  const engine = new Engine(optionsOf(each));
  engine.restore(saved);
  return engine;
}

/** Milliseconds between a restart's two halves: mostly short, sometimes long enough for a leap. */
const gap = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 60_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 20_000_000 }) },
);

describe('the same inputs', () => {
  it(
    'give the same bytes for the same seed, times and requests',
    () => {
      fc.assert(
        fc.property(session, (each) => {
          const run = (): string => {
            const engine = begin(each);
            const answers = each.steps.map((step) => play(engine, step));
            return [...answers, replies(engine)].join('\n');
          };
          expect(run()).toBe(run());
        }),
        { numRuns: 25 * MORE },
      );
    },
    60_000 * MORE,
  );

  it(
    'give the same bytes after a restart from the recorded inputs in the middle',
    () => {
      fc.assert(
        fc.property(session, fc.nat({ max: 40 }), gap, (each, cut, pause) => {
          const lines: string[] = [];
          const through = begin(each, (input) => lines.push(JSON.stringify(input)));
          const answers = each.steps.slice(0, cut).map((step) => play(through, step));
          through.advanceTo(through.now + pause);
          through.notePassed(through.now);
          const again = new Engine(optionsOf(each));
          for (const line of lines) replay(again, JSON.parse(line) as Timed);
          expect(replies(again)).toBe(replies(through));
          for (const step of each.steps.slice(cut)) expect(play(again, step)).toBe(play(through, step));
          expect(replies(again)).toBe(replies(through));
          expect(answers.length).toBe(Math.min(cut, each.steps.length));
        }),
        { numRuns: 25 * MORE },
      );
    },
    120_000 * MORE,
  );

  it(
    'give the same bytes after a restart from a checkpoint, and from a checkpoint of that one',
    () => {
      fc.assert(
        fc.property(session, fc.nat({ max: 40 }), gap, (each, cut, pause) => {
          const through = begin(each);
          for (const step of each.steps.slice(0, cut)) play(through, step);
          through.advanceTo(through.now + pause);
          const text = encode(through.save());
          const again = takenUp(each, text);
          expect(encode(again.save())).toBe(text);
          expect(replies(again)).toBe(replies(through));
          for (const step of each.steps.slice(cut)) expect(play(again, step)).toBe(play(through, step));
          through.catchUp('all');
          again.catchUp('all');
          const end = encode(through.save());
          expect(encode(again.save())).toBe(end);
          expect(replies(takenUp(each, end))).toBe(replies(through));
        }),
        { numRuns: 30 * MORE },
      );
    },
    120_000 * MORE,
  );

  it(
    'give the same bytes however often the time is read',
    () => {
      fc.assert(
        fc.property(
          fc.nat(),
          fc.array(fc.integer({ min: 1, max: 9_000 }), { maxLength: 12 }),
          (seed, gaps) => {
            const options = {
              seed,
              start: START,
              history: 12,
              convention: 'flat',
              order: 'desc',
              contracts: CONTRACTS,
            } as const;
            const often = new Engine(options);
            const once = new Engine(options);
            for (const gap of gaps) often.advanceTo(often.now + gap);
            once.advanceTo(often.now);
            expect(replies(once)).toBe(replies(often));
          },
        ),
        { numRuns: 20 * MORE },
      );
    },
    60_000 * MORE,
  );
});
