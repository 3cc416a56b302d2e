import { describe, expect, it } from 'vitest';
import { timeTicks, valueAxis } from './chart-axis.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const at = (text: string): number => Date.parse(text);

describe('the axis of values', () => {
  it.each([
    [147_583.1, 147_589.2],
    [0.4995, 0.4996],
    [0, 0],
    [-310, 1_240],
    [99_999_999, 100_000_001],
    [12.5, 12.5],
    [-5, -5],
    [-1e40, 1.3e41],
  ])('has 3 to 5 round ticks around %d and %d, and spans at least 1 %% of them', (low, high) => {
    const { min, max, ticks } = valueAxis(low, high);
    expect(ticks.length).toBeGreaterThanOrEqual(3);
    expect(ticks.length).toBeLessThanOrEqual(5);
    expect(min).toBeLessThanOrEqual(low);
    expect(max).toBeGreaterThanOrEqual(high);
    expect(max - min).toBeGreaterThanOrEqual(Math.max(Math.abs(low), Math.abs(high)) * 0.01);
    expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
  });
  it('has a sign before each change', () => {
    const { ticks } = valueAxis(-1.2, 2.3, { signed: true });
    expect(ticks.map(({ label }) => label)).toEqual(['−2', '0', '+2', '+4']);
  });
  it('labels its ticks in full', () => {
    expect(valueAxis(147_583, 147_589).ticks.map(({ label }) => label)).toEqual([
      '146,500',
      '147,000',
      '147,500',
      '148,000',
      '148,500',
    ]);
    expect(valueAxis(0.4995, 0.4996).ticks.map(({ label }) => label)).toEqual([
      '0.496',
      '0.498',
      '0.500',
      '0.502',
      '0.504',
    ]);
  });
});

describe('the axis of time', () => {
  const spans = [1, 2, 10, 90, 400, 1_440, 2_000, 4_000, 10_000, 44_640, 200_000, 900_000, 5_000_000];
  it.each(
    spans.flatMap((span) =>
      ['UTC', 'Europe/Berlin', 'America/New_York'].map((zone) => [span, zone] as const),
    ),
  )('has no label twice over %d minutes in %s', (span, zone) => {
    const from = at('2026-10-24T21:13:37Z');
    const ticks = timeTicks(from, from + span * MINUTE, zone);
    expect(ticks.length).toBeGreaterThan(0);
    expect(ticks.length).toBeLessThanOrEqual(7);
    expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
    for (const { value } of ticks) {
      expect(value).toBeGreaterThanOrEqual(from);
      expect(value).toBeLessThanOrEqual(from + span * MINUTE);
    }
  });
  it('has ticks at round times of the zone', () => {
    const from = at('2026-11-22T10:49:00Z');
    expect(timeTicks(from, at('2026-11-22T16:14:00Z'), 'UTC').map(({ label }) => label)).toEqual([
      '11:00',
      '12:00',
      '13:00',
      '14:00',
      '15:00',
      '16:00',
    ]);
    const days = timeTicks(at('2026-10-20T00:00:00Z'), at('2026-10-29T00:00:00Z'), 'Europe/Berlin');
    // Midnight in the zone, on both sides of the clock change.
    expect(days.map(({ value }) => new Date(value).toISOString().slice(11, 16))).toEqual(
      days.map(({ value }) => (value < at('2026-10-25T01:00:00Z') ? '22:00' : '23:00')),
    );
    expect(days.length).toBeGreaterThan(3);
  });
  it.each([
    // Set back at 01:00 UTC, and forward.
    ['2027-10-31T00:50:00Z', '2027-10-31T01:20:00Z', '00:50=02:50 00:55=02:55 01:00=02:00 01:05=02:05'],
    ['2027-10-30T23:00:00Z', '2027-10-31T03:30:00Z', '23:00=01:00 00:00=02:00 02:00=03:00 03:00=04:00'],
    ['2027-03-28T00:50:00Z', '2027-03-28T01:20:00Z', '00:50=01:50 00:55=01:55 01:00=03:00 01:05=03:05'],
  ])('has each round time once while the clock is changed, from %s to %s', (from, to, first) => {
    const ticks = timeTicks(at(from), at(to), 'Europe/Zurich');
    const shown = ticks.map(({ value, label }) => `${new Date(value).toISOString().slice(11, 16)}=${label}`);
    expect(shown.slice(0, 4).join(' ')).toBe(first);
    expect(ticks.map(({ value }) => value)).toEqual(
      [...new Set(ticks.map(({ value }) => value))].sort((a, b) => a - b),
    );
  });
  it('shows the year when labels would repeat otherwise', () => {
    const from = at('2023-03-01T00:00:00Z');
    expect(timeTicks(from, from + 1_200 * DAY, 'UTC')[0]?.label).toMatch(/^\d{4}-/);
  });
});
