import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ServerClock } from './server-clock.ts';

const at = (wall: number, mono = wall) => ({ wall, mono });

describe('the exchange’s clock', () => {
  it('is as exact as a header of whole seconds allows, and 0 when the clocks agree', () => {
    const trip = fc.record({ out: fc.nat(300), back: fc.nat(300), pause: fc.nat(2000) });
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: -1e7, max: 1e7 }), fc.integer({ min: -3000, max: 3000 })),
        fc.array(trip, { minLength: 1, maxLength: 30 }),
        (offset, trips) => {
          const clock = new ServerClock();
          let now = 1_763_700_000_000;
          for (const { out, back, pause } of trips) {
            const sent = now;
            const date = Math.floor((now + out + offset) / 1000) * 1000;
            now += out + back;
            clock.observe(at(sent), at(now), date);
            now += pause;
            const found = clock.offsetMs(at(now)) ?? NaN;
            // Half of 1 s + staleness + the longest trip; all of it where 0 can't be told from the truth.
            expect(Math.abs(found - offset)).toBeLessThanOrEqual(found === 0 ? 1850 : 925);
          }
        },
      ),
    );
    const same = new ServerClock();
    expect(same.offsetMs(at(5400))).toBeNull();
    same.observe(at(5400), at(5450), 5000);
    expect(same.offsetMs(at(5450))).toBe(0);
  });

  it('follows a clock that was set', () => {
    const clock = new ServerClock();
    clock.observe(at(10_000), at(10_050), 10_000);
    clock.observe(at(11_000), at(11_050), 3_611_000);
    expect(clock.offsetMs(at(11_050))).toBeGreaterThan(3_599_000);
  });

  it('is known at once where the computer’s was set back, also during a request', () => {
    const clock = new ServerClock();
    clock.observe(at(10_000_000), at(10_000_050), 10_000_000);
    expect(clock.offsetMs(at(6_400_500, 10_000_500))).toBe(3_600_000);
    expect(clock.offsetMs(at(9_999_000, 10_000_500))).toBe(1_500);
    expect(clock.offsetMs(at(9_999_500, 10_000_500))).toBe(0);
    clock.observe(at(10_001_000), at(6_401_050, 10_001_050), 10_001_000);
    expect(Math.abs((clock.offsetMs(at(6_401_100, 10_001_100)) ?? 0) - 3_600_000)).toBeLessThan(1_000);
  });

  it('is known by the first reply, although the computer’s was set back while it was on its way', () => {
    const clock = new ServerClock();
    clock.observe(at(10_001_000), at(6_401_050, 10_001_050), 10_001_000);
    expect(Math.abs((clock.offsetMs(at(6_401_100, 10_001_100)) ?? 0) - 3_600_000)).toBeLessThan(1_000);
  });

  it('is narrowed by each reply, and followed by forgetting all but the last nine', () => {
    // Without a trip, each header bounds the offset by `least` and `least` + 1,250.
    const after = (...leasts: readonly number[]): number | null => {
      const clock = new ServerClock();
      for (const least of leasts) clock.observe(at(10_000), at(10_000), 10_000 + least);
      return clock.offsetMs(at(10_000));
    };
    expect([after(0), after(-1250), after(500)]).toEqual([0, 0, 1125]);
    expect(after(500, -200)).toBe(775);
    expect(after(500, -750)).toBe(500);
    expect(after(500, -751)).toBe(0);
    expect(after(500, ...Array.from({ length: 8 }, () => -200))).toBe(775);
    expect(after(500, ...Array.from({ length: 9 }, () => -200))).toBe(0);
  });

  it('takes a header that was written a quarter of a second ago for no difference', () => {
    const clock = new ServerClock();
    // Written at 9,900, sent again at 10,140.
    clock.observe(at(10_100), at(10_150), 9_000);
    expect(clock.offsetMs(at(10_150))).toBe(0);
  });

  it('is that of the last reply although two clocks drift apart while none replies', () => {
    const clock = new ServerClock();
    clock.observe(at(10_000), at(10_050), 10_000);
    const day = 86_400_000;
    // A wall clock that is held to the true time, beside a crystal that is 50 ppm fast.
    expect(clock.offsetMs(at(10_050 + day, 10_050 + day * 1.00005))).toBe(0);
    expect(clock.offsetMs(at(10_050 + day - 3_600_000, 10_050 + day))).toBe(3_600_000);
  });

  it('is that of the last reply after sleep, in which the monotonic clock may stand still', () => {
    const clock = new ServerClock();
    clock.observe(at(10_000), at(10_050), 10_000);
    expect(clock.offsetMs(at(28_810_050, 10_050))).toBe(0);
  });

  it('takes no sleep during a request for a clock that is off', () => {
    const clock = new ServerClock();
    clock.observe(at(10_000), at(10_050), 10_000);
    clock.observe(at(11_000), at(311_050, 11_050), 11_000);
    expect(clock.offsetMs(at(311_100, 11_100))).toBe(0);
  });
});
