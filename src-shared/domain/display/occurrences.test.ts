import { expect, it } from 'vitest';
import { nextOccurrence, type EVERY } from './occurrences.ts';

const at = (text: string): number => Date.parse(`${text}Z`);
const next = (every: (typeof EVERY)[number], time: string, after: string, zone = 'UTC'): string =>
  new Date(nextOccurrence({ every, at: time }, at(after), zone)).toISOString().slice(0, 16);

it.each([
  ['day', '06:00', '2026-11-23T05:59', '2026-11-23T06:00'],
  ['day', '06:00', '2026-11-23T06:00', '2026-11-24T06:00'],
  // The 23rd is a Monday.
  ['week', '06:30', '2026-11-23T06:00', '2026-11-23T06:30'],
  ['week', '06:30', '2026-11-23T06:30', '2026-11-30T06:30'],
  ['month', '00:30', '2026-12-01T00:29', '2026-12-01T00:30'],
  ['month', '00:30', '2026-12-01T00:30', '2027-01-01T00:30'],
] as const)('every %s at %s after %s is %s', (every, time, after, expected) => {
  expect(next(every, time, after)).toBe(expected);
});

it('counts days and hours in the zone, across its clock changes', () => {
  expect(next('day', '06:00', '2026-11-22T21:00', 'Asia/Tokyo')).toBe('2026-11-23T21:00');
  expect(next('day', '06:00', '2026-03-28T05:00', 'Europe/Zurich')).toBe('2026-03-29T04:00');
  // Half past two does not exist on the last Sunday of March, and exists twice on that of October: once a day all the same.
  const days = (from: string, count: number): string[] => {
    const found = [at(from)];
    for (let n = 0; n < count; n++)
      found.push(nextOccurrence({ every: 'day', at: '02:30' }, found.at(-1)!, 'Europe/Zurich'));
    return found.slice(1).map((ms) => new Date(ms).toISOString().slice(0, 10));
  };
  expect(days('2026-03-27T12:00', 3)).toEqual(['2026-03-28', '2026-03-29', '2026-03-30']);
  expect(days('2026-10-23T12:00', 3)).toEqual(['2026-10-24', '2026-10-25', '2026-10-26']);
});
