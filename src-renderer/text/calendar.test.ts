import { describe, expect, it } from 'vitest';
import { addDays, addMonths, dayByKey, monthOf, weeksOf } from './calendar.ts';

describe('the calendar', () => {
  it('lays a month out in weeks from Monday, each day once', () => {
    const october = weeksOf('2026-10');
    expect(october[0]).toEqual([null, null, null, '2026-10-01', '2026-10-02', '2026-10-03', '2026-10-04']);
    expect(october.at(-1)?.slice(0, 6)).toEqual([
      ...['2026-10-26', '2026-10-27', '2026-10-28', '2026-10-29', '2026-10-30'],
      '2026-10-31',
    ]);
    expect(
      weeksOf('2028-02')
        .flat()
        .filter((day) => day !== null),
    ).toHaveLength(29);
  });

  it.each(['2026-11', '2026-02', '2024-02', '2025-12'])('%s has each of its days once', (month) => {
    const weeks = weeksOf(month);
    const days = weeks.flat().filter((one) => one !== null);
    const last = addDays(`${addMonths(month, 1)}-01`, -1);
    expect(days.at(-1)).toBe(last);
    expect(new Set(days).size).toBe(Number.parseInt(last.slice(8), 10));
    expect(days).toHaveLength(new Set(days).size);
    expect(new Set(days.map(monthOf))).toEqual(new Set([month]));
    for (const week of weeks) {
      expect(week).toHaveLength(7);
      for (const [at, day] of week.entries())
        if (day !== null) expect((new Date(day).getUTCDay() + 6) % 7).toBe(at);
    }
  });

  it('moves by keys: days, weeks, ends of a week, months whose last day is earlier', () => {
    expect(
      ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown', 'a'].map(
        (key) => dayByKey(key, '2026-03-31'),
      ),
    ).toEqual([
      ...['2026-03-30', '2026-04-01', '2026-03-24', '2026-04-07', '2026-03-30', '2026-04-05'],
      ...['2026-02-28', '2026-04-30', null],
    ]);
  });

  it('counts months over years', () => {
    expect([addMonths('2026-01', -1), addMonths('2026-12', 1), addMonths('2026-11', -23)]).toEqual([
      '2025-12',
      '2027-01',
      '2024-12',
    ]);
  });
});
