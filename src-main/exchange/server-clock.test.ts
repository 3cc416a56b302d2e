import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createServerClock } from './server-clock.ts';

describe('the exchange’s clock', () => {
  it('is as exact as a header of whole seconds allows, and 0 when the clocks agree', () => {
    const trip = fc.record({ out: fc.nat(300), back: fc.nat(300), pause: fc.nat(2000) });
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: -1e7, max: 1e7 }), fc.integer({ min: -3000, max: 3000 })),
        fc.array(trip, { minLength: 1, maxLength: 30 }),
        (offset, trips) => {
          const clock = createServerClock();
          let now = 1_763_700_000_000;
          for (const { out, back, pause } of trips) {
            const sent = now;
            const date = Math.floor((now + out + offset) / 1000) * 1000;
            now += out + back;
            clock.observe(sent, now, date);
            now += pause;
            const found = clock.offsetMs() ?? NaN;
            // Half of 1 s + staleness + the longest trip; all of it where 0 can't be told from the truth.
            expect(Math.abs(found - offset)).toBeLessThanOrEqual(found === 0 ? 1850 : 925);
          }
        },
      ),
    );
    const same = createServerClock();
    expect(same.offsetMs()).toBeNull();
    same.observe(5400, 5450, 5000);
    expect(same.offsetMs()).toBe(0);
  });

  it('follows a clock that was set', () => {
    const clock = createServerClock();
    clock.observe(10_000, 10_050, 10_000);
    clock.observe(11_000, 11_050, 3_611_000);
    expect(clock.offsetMs()).toBeGreaterThan(3_599_000);
  });
});
