import { describe, expect, it } from 'vitest';
import { deliveryOf, isTimeOfDay, isQuiet } from './quiet-hours.ts';
import { ALERT_RULES, type AlertRules, CRITICAL_RULES } from './rules.ts';
import { SET } from '../../../tests/domain/alert-samples.ts';

const at = (text: string): number => Date.parse(`2026-11-21T${text}:00Z`);
const quiet = (from: string, to: string, clock: string, zone = 'UTC'): boolean =>
  isQuiet({ on: true, from, to }, at(clock), zone);

describe('quiet hours', () => {
  it.each([
    ['22:00', '07:00', '21:59', false],
    ['22:00', '07:00', '22:00', true],
    ['22:00', '07:00', '00:00', true],
    ['22:00', '07:00', '06:59', true],
    ['22:00', '07:00', '07:00', false],
    ['09:00', '17:30', '17:29', true],
    ['09:00', '17:30', '08:59', false],
    ['12:00', '12:00', '12:00', false],
  ])('from %s to %s, at %s', (from, to, clock, expected) => {
    expect(quiet(from, to, clock)).toBe(expected);
  });

  it('follow the clock of the time zone', () => {
    expect(quiet('22:00', '07:00', '14:00', 'Asia/Tokyo')).toBe(true); // 23:00 there
    expect(quiet('22:00', '07:00', '23:00', 'America/New_York')).toBe(false); // 18:00 there
  });

  it('are off until set', () => {
    expect(isQuiet({ on: false, from: '00:00', to: '23:59' }, at('12:00'), 'UTC')).toBe(false);
  });

  it.each(['24:00', '7:00', '07:60', '', '07:00 '])('%j is no time of day', (text) => {
    expect(isTimeOfDay(text)).toBe(false);
  });
});

describe('where an alert is delivered', () => {
  const settings = { desktop: true, sound: true };
  it('leaves only notices the user must see during quiet hours', () => {
    for (const rule of ALERT_RULES)
      expect(deliveryOf(rule, SET, settings, true)).toEqual({
        notice: CRITICAL_RULES.has(rule),
        desktop: false,
        sound: false,
      });
  });

  it('shows such a notice whatever is switched off', () => {
    const rules: AlertRules = { ...SET, unknown: { ...SET.unknown, desktop: false } };
    expect(deliveryOf('unknown', rules, { desktop: true, sound: false }, false)).toEqual({
      notice: true,
      desktop: false,
      sound: false,
    });
    expect(deliveryOf('fills', SET, { desktop: false, sound: false }, false).desktop).toBe(false);
  });
});
