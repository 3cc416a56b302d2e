import { describe, expect, it, onTestFinished } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src-shared/ipc/default-settings.ts';
import { HOUR_MS } from '../../src-shared/time.ts';
import { shownAs } from './shown-as.svelte.ts';
import { ageText, clockText, timeText } from './time-text.ts';

describe('times', () => {
  it('are the same in UTC in either format', () => {
    for (const ms of [0, 1_795_252_444_112, 1_709_251_199_999])
      expect(timeText(ms, 'Etc/UTC')).toEqual(timeText(ms, 'UTC'));
    expect(timeText(1_795_252_444_112, 'UTC')).toEqual({
      date: '2026-11-21',
      clock: '09:14:04',
      millis: '.112',
    });
  });

  it('follow a zone', () => {
    expect(timeText(1_795_252_444_112, 'Asia/Tokyo')).toMatchObject({
      date: '2026-11-21',
      clock: '18:14:04',
    });
  });

  it('have their date unless it is that of the other moment, in the zone', () => {
    const at = 1_795_252_444_112;
    expect(clockText(at, at + 14 * HOUR_MS, 'UTC')).toBe('09:14:04');
    expect(clockText(at, at + 15 * HOUR_MS, 'UTC')).toBe('2026-11-21 09:14:04');
    expect(clockText(at, at + 14 * HOUR_MS, 'Asia/Tokyo')).toBe('2026-11-21 18:14:04');
  });

  it('have their date in the chosen format', () => {
    const date = (dateFormat: 'iso' | 'day-first' | 'month-first'): string => {
      shownAs.value = { ...DEFAULT_SETTINGS, dateFormat };
      return timeText(1_795_252_444_112, 'Asia/Tokyo').date;
    };
    onTestFinished(() => {
      shownAs.value = DEFAULT_SETTINGS;
    });
    expect([date('iso'), date('day-first'), date('month-first')]).toEqual([
      '2026-11-21',
      '21.11.2026',
      '11/21/2026',
    ]);
  });

  it('outside the calendar’s range are shown as their digits', () => {
    expect(timeText(9e15, 'UTC').date).toBe('9000000000000000');
  });
});

describe('ages', () => {
  it('have the two largest units that matter', () => {
    const texts = [0, 840, 9_999, 47_900, 300_000, 4_320_000, 410_400_000].map(ageText);
    expect(texts).toEqual(['0.0 s', '0.8 s', '9.9 s', '47 s', '5 min', '1 h 12 min', '4 d 18 h']);
  });

  it('are written as in messages, in seconds up to two minutes', () => {
    expect([75_999, 119_999, 120_000].map(ageText)).toEqual(['75 s', '119 s', '2 min']);
  });

  it('are never below zero, when the clock ticks after the reply', () => {
    expect(ageText(-500)).toBe('0.0 s');
  });
});
