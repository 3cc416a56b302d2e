import { render } from '@testing-library/svelte';
import { afterEach, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src-shared/ipc/settings.ts';
import Amount from './Amount.svelte';
import { countText, percentWords, plainMoney, plainNumber, toldText } from '../text/number-text.ts';
import { shownAs } from '../text/shown-as.svelte.ts';
import { ageText, dayText } from '../text/time-text.ts';

afterEach(() => {
  shownAs.value = DEFAULT_SETTINGS;
});

it('hides what the account has, in text and titles, and leaves prices and the order’s own', () => {
  shownAs.value = { ...DEFAULT_SETTINGS, privacy: true };
  const of = (kind: 'account' | 'order' | 'price' | undefined): string =>
    render(Amount, { value: '-98648.72', unit: 'USDT', signed: true, of: kind }).container.innerHTML;
  for (const kind of ['account', undefined] as const) expect(of(kind)).not.toMatch(/98|648|72|dn|−/);
  expect(of(undefined)).toContain('hidden');
  for (const kind of ['order', 'price'] as const) expect(of(kind)).toContain('98648.72 USDT');
  expect(plainMoney('12345.6')).not.toMatch(/\d/);
  expect(plainNumber('12345.6')).toBe('12,345.6');
  expect(toldText('Bought 2.5 BTC-USDT-M')).toBe('Bought ••••• BTC-USDT-M');
});

it('is written as the person says, everywhere at once; the title keeps what was received', () => {
  shownAs.value = { ...DEFAULT_SETTINGS, decimalMark: 'comma' };
  const { container } = render(Amount, { value: '1042313.75' });
  expect(container.textContent).toBe('1.042.313,75');
  expect(container.querySelector('[title]')?.getAttribute('title')).toBe('1042313.75');
  expect(countText(1234567)).toBe('1.234.567');
  expect(percentWords('0.0512')).toBe('5,12%');
  expect(ageText(2_340)).toBe('2,3 s');
});

it('days of a chart are written as dates are', () => {
  const day = Date.parse('2026-11-21T00:00:00Z');
  const written = (['iso', 'day-first', 'month-first'] as const).map((dateFormat) => {
    shownAs.value = { ...DEFAULT_SETTINGS, dateFormat };
    return dayText(day);
  });
  expect(written).toEqual(['11-21', '21.11.', '11/21']);
});
