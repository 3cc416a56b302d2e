import { describe, expect, it } from 'vitest';
import { dayBefore, zonedSpan } from './zoned-time.ts';

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
