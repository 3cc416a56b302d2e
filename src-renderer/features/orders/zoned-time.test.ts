import { describe, expect, it } from 'vitest';
import { zonedTime } from './zoned-time.ts';

describe('a typed time', () => {
  it('is read in the chosen zone, seconds or clock left out', () => {
    expect(zonedTime('2026-11-21 09:14', 'UTC')).toBe(Date.UTC(2026, 10, 21, 9, 14));
    expect(zonedTime(' 2026-11-21T09:14:05 ', 'UTC')).toBe(Date.UTC(2026, 10, 21, 9, 14, 5));
    expect(zonedTime('2026-11-21', 'Asia/Tokyo')).toBe(Date.UTC(2026, 10, 20, 15));
    expect(zonedTime('2026-11-21 09:14', 'Asia/Kathmandu')).toBe(Date.UTC(2026, 10, 21, 3, 29));
  });
  it('keeps its clock on both sides of a change of the clocks', () => {
    expect(zonedTime('2026-03-29 01:59', 'Europe/Berlin')).toBe(Date.UTC(2026, 2, 29, 0, 59));
    expect(zonedTime('2026-03-29 03:00', 'Europe/Berlin')).toBe(Date.UTC(2026, 2, 29, 1, 0));
    expect(zonedTime('2026-10-25 03:00', 'Europe/Berlin')).toBe(Date.UTC(2026, 9, 25, 2, 0));
  });
  it('is null for what is no time', () => {
    for (const text of ['', 'today', '2026-13-01', '2026-02-30', '2026-11-21 24:61', '21.11.2026'])
      expect(zonedTime(text, 'UTC')).toBeNull();
  });
});
