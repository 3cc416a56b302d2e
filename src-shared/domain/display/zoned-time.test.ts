import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { dayAt, dayBefore, systemZone, typedSpan, zonedSpan } from './zoned-time.ts';

const at = (iso: string): number => Date.parse(iso);

describe('typed times', () => {
  it('span what was typed: a day, a minute, a second or a millisecond', () => {
    const spans = ['2026-11-21', '2026-11-21 09:14', '2026-11-21T09:14:05', '2026-11-21 09:14:05.109'];
    expect(spans.map((text) => zonedSpan(text, 'UTC'))).toEqual([
      { first: at('2026-11-21T00:00:00Z'), last: at('2026-11-21T23:59:59.999Z') },
      { first: at('2026-11-21T09:14:00Z'), last: at('2026-11-21T09:14:59.999Z') },
      { first: at('2026-11-21T09:14:05Z'), last: at('2026-11-21T09:14:05.999Z') },
      { first: at('2026-11-21T09:14:05.109Z'), last: at('2026-11-21T09:14:05.109Z') },
    ]);
  });

  it('are read in the zone, on days of 23 and 25 hours too', () => {
    expect(zonedSpan('2026-11-21 09:14', 'Asia/Tokyo')?.first).toBe(at('2026-11-21T00:14:00Z'));
    expect(zonedSpan('2026-03-29', 'Europe/Berlin')).toEqual({
      first: at('2026-03-28T23:00:00Z'),
      last: at('2026-03-29T21:59:59.999Z'),
    });
    expect(zonedSpan('2026-10-25', 'Europe/Berlin')).toEqual({
      first: at('2026-10-24T22:00:00Z'),
      last: at('2026-10-25T22:59:59.999Z'),
    });
  });

  it('reach from the first to the last moment of what a clock that is set back shows twice', () => {
    const berlin = (text: string) => zonedSpan(text, 'Europe/Berlin');
    expect(berlin('2026-10-25 02:30')).toEqual({
      first: at('2026-10-25T00:30:00Z'),
      last: at('2026-10-25T01:30:59.999Z'),
    });
    expect(berlin('2026-10-25 02:30:15')?.last).toBe(at('2026-10-25T01:30:15.999Z'));
    expect(berlin('2026-10-25 02:30:15.250')?.last).toBe(at('2026-10-25T01:30:15.250Z'));
    // Shown once, and not at all.
    expect(berlin('2026-10-25 03:00')?.last).toBe(at('2026-10-25T02:00:59.999Z'));
    expect(berlin('2026-10-25 01:59')?.last).toBe(at('2026-10-24T23:59:59.999Z'));
    expect(berlin('2026-03-29 02:30')).toEqual({
      first: at('2026-03-29T01:30:00Z'),
      last: at('2026-03-29T01:30:59.999Z'),
    });
    const { span, faults } = typedSpan('2026-10-25 02:00', '2026-10-25 02:59', 'Europe/Berlin');
    expect(span).toEqual({ from: at('2026-10-25T00:00:00Z'), to: at('2026-10-25T01:59:59.999Z') });
    expect(faults).toEqual({ from: null, to: null });
  });

  it('are rejected if they are no time', () => {
    for (const text of ['', '21.11.2026', '2026-02-30', '2026-13-01', '2026-11-21 25:00', '1969-12-31', 'x'])
      expect(zonedSpan(text, 'UTC')).toBeNull();
  });

  it('count back whole days of the zone’s calendar', () => {
    const now = at('2026-11-21T23:30:00Z');
    expect([dayBefore(now, 'UTC', 0), dayBefore(now, 'UTC', 30)]).toEqual(['2026-11-21', '2026-10-22']);
    expect(dayBefore(now, 'Asia/Tokyo', 0)).toBe('2026-11-22');
  });
});

describe('the day', () => {
  /** Clock changes at midnight, both ways; by half an hour; a skipped date; none. */
  const ZONES = [
    ...['UTC', 'Europe/Berlin', 'America/Havana', 'America/Santiago', 'America/Asuncion', 'Asia/Amman'],
    ...['Africa/Cairo', 'Asia/Beirut', 'Australia/Lord_Howe', 'America/St_Johns', 'Asia/Kathmandu'],
  ];
  const times = fc.integer({ min: at('2015-01-01T00:00Z'), max: at('2035-01-01T00:00Z') });

  it('contains now, ends where the next begins, and has one date', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), times, (zone, now) => {
        const { startsAt, endsAt } = dayAt(now, zone);
        const date = dayBefore(now, zone, 0);
        expect([startsAt <= now, now < endsAt]).toEqual([true, true]);
        expect([startsAt, endsAt - 1].map((ms) => dayBefore(ms, zone, 0))).toEqual([date, date]);
        expect(dayBefore(startsAt - 1, zone, 0)).not.toBe(date);
        expect(dayAt(endsAt, zone).startsAt).toBe(endsAt);
        expect(dayAt(startsAt - 1, zone).endsAt).toBe(startsAt);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['America/Havana', '2026-03-08', '2026-03-08T05:00:00Z', 23],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00Z', 25],
    ['Asia/Amman', '2021-10-29', '2021-10-28T21:00:00Z', 25],
  ])('begins in %s on %s where midnight is skipped or repeated', (zone, date, first, hours) => {
    const span = zonedSpan(date, zone);
    expect(span?.first).toBe(at(first));
    expect(span?.last).toBe(at(first) + hours * 3_600_000 - 1);
  });
});

describe('the zone of the computer', () => {
  it('is a name that times can be written in, also where the system has none', () => {
    const options = new Intl.DateTimeFormat().resolvedOptions();
    const zoneOf = (timeZone: string | undefined): string => {
      const named = { ...options, timeZone } as Intl.ResolvedDateTimeFormatOptions;
      vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(named);
      return systemZone();
    };
    const zones = ['Pacific/Auckland', 'Etc/Unknown', undefined].map(zoneOf);
    expect(zones).toEqual(['Pacific/Auckland', 'UTC', 'UTC']);
    for (const zone of zones) expect(dayBefore(0, zone, 0)).toMatch(/^19(69|70)-/);
  });
});
