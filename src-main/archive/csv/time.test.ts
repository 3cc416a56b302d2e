import { describe, expect, it } from 'vitest';
import { systemZone } from '../../../src-shared/domain/display/zoned-time.ts';
import { DAY_MS } from '../../../src-shared/time.ts';
import { ArchiveFault } from '../sqlite/errors.ts';
import { readTime, timePrinter } from './time.ts';

const AT = Date.UTC(2026, 10, 21, 9, 14, 3, 7);
const printed = (time: number, zone: string): string => timePrinter('iso', zone)(time);

describe('a time of a CSV', () => {
  it.each([
    [AT, 'UTC', '2026-11-21T09:14:03.007Z'],
    [AT, 'Europe/London', '2026-11-21T09:14:03.007+00:00'],
    [AT, 'Asia/Kathmandu', '2026-11-21T14:59:03.007+05:45'],
    [AT, 'America/St_Johns', '2026-11-21T05:44:03.007-03:30'],
    [0, 'UTC', '1970-01-01T00:00:00.000Z'],
    // Liberia's clocks were 44 minutes and 30 seconds behind until 1972.
    [0, 'Africa/Monrovia', '1969-12-31T23:15:30.000-00:44:30'],
    // Zone rules end in 2100, four digits of a year in 9999.
    [Date.UTC(2100, 0) - 1, 'Europe/Zurich', '2100-01-01T00:59:59.999+01:00'],
    [Date.UTC(2100, 0), 'Europe/Zurich', '2100-01-01T00:00:00.000Z'],
    [Date.UTC(9999, 0) - 1, 'Europe/Zurich', '9998-12-31T23:59:59.999Z'],
    [Date.UTC(9999, 0), 'Europe/Zurich', '253370764800000'],
    [Date.UTC(9999, 0), 'UTC', '253370764800000'],
  ])('of %s in %s is %s, and is read back', (time, zone, text) => {
    expect(printed(time, zone)).toBe(text);
    expect(readTime(text)).toBe(time);
  });

  it('is in milliseconds if so chosen, whatever the zone', () => {
    expect(timePrinter('epoch-ms', 'Mars/Olympus')(AT)).toBe(String(AT));
    for (const time of [0, AT, Number.MAX_SAFE_INTEGER]) expect(readTime(String(time))).toBe(time);
  });

  it('can be in the zone of the system', () => {
    expect(printed(AT, 'system')).toBe(printed(AT, systemZone()).replace(/Z$/, '+00:00'));
  });

  it('is in no zone that is not known', () => {
    const zone = `Mars/${'x'.repeat(80)}`;
    expect(() => printed(AT, zone)).toThrow(
      new ArchiveFault({
        kind: 'blocked',
        message: `The time zone ${zone.slice(0, 60)} is not known.`,
        next: 'Choose a zone from the list, such as UTC or Europe/Zurich.',
        field: 'timeZone',
      }),
    );
  });

  it.each([
    '',
    '007',
    '-1',
    '1.5',
    '1e3',
    ' 1',
    '1 ',
    '9007199254740993',
    '90071992547409910',
    '2026-11-21',
    '2026-11-21T09:14:03Z',
    '2026-11-21T09:14:03.007',
    '2026-11-21T09:14:03.007z',
    '2026-11-21T09:14:03.0071Z',
    '2026-11-21T09:14:03.007+01',
    '2026-11-21T09:14:03.007+01:00x',
    '2026-11-21T09:14:03.007Z+01:00',
    'x2026-11-21T09:14:03.007Z',
    '+002026-11-21T09:14:03.007Z',
    '2026-02-30T09:14:03.007Z',
    '2026-13-01T09:14:03.007Z',
    '2026-11-21T24:00:00.000Z',
    '2026-11-21T09:60:00.000Z',
    '1969-12-31T23:59:59.999Z',
    '1970-01-01T00:00:00.000+00:01',
  ])('is not “%s”', (cell) => {
    expect(readTime(cell)).toBeNull();
  });

  it('is read with the largest offset of either direction', () => {
    expect(readTime('1970-01-01T00:00:00.000-12:00')).toBe(DAY_MS / 2);
    expect(readTime('1970-01-01T14:00:00.000+14:00')).toBe(0);
  });
});
