import { expect, it } from 'vitest';
import { RANGES, rangeOf, rangeSpan } from './day-range.ts';

/** In Tokyo it is 2026-01-05. */
const NOW = Date.parse('2026-01-04T15:30:00Z');

it('has the days of each range by the calendar of the zone, also at the turn of a year', () => {
  const ranges = RANGES.map((name) => [name, ...Object.values(rangeOf(name, NOW, 'Asia/Tokyo'))]);
  expect(ranges).toEqual([
    ['today', '2026-01-05', ''],
    ['7d', '2025-12-30', ''],
    ['30d', '2025-12-07', ''],
    ['month', '2026-01-01', ''],
    ['last-month', '2025-12-01', '2025-12-31'],
    ['3-months', '2025-10-01', '2025-12-31'],
    ['year', '2026-01-01', ''],
    ['last-year', '2025-01-01', '2025-12-31'],
    ['all', '', ''],
  ]);
  expect(rangeOf('last-month', NOW, 'UTC')).toEqual({ from: '2025-12-01', to: '2025-12-31' });
  expect(rangeOf('last-month', Date.parse('2024-03-31T12:00Z'), 'UTC')).toEqual({
    from: '2024-02-01',
    to: '2024-02-29',
  });
});

it('spans whole days of the zone, to the last millisecond, and is open at the ends that have no day', () => {
  expect(rangeSpan('last-year', NOW, 'Asia/Tokyo')).toEqual({
    from: Date.parse('2024-12-31T15:00:00Z'),
    to: Date.parse('2025-12-31T15:00:00Z') - 1,
  });
  expect(rangeSpan('today', NOW, 'UTC')).toEqual({ from: Date.parse('2026-01-04T00:00:00Z'), to: null });
  expect(rangeSpan('all', NOW, 'UTC')).toEqual({ from: null, to: null });
});
