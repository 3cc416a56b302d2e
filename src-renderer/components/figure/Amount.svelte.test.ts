import { render } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../src-shared/ipc/default-settings.ts';
import Amount from './Amount.svelte';
import { countText, plainPercent, plainMoney, plainNumber, maskedText } from '../../text/number-text.ts';
import { shownAs } from '../../text/shown-as.svelte.ts';
import { ageText, dayText } from '../../text/time-text.ts';

it('hides amounts of the account in text and titles, but not prices or an order’s own amounts', () => {
  shownAs.value = { ...DEFAULT_SETTINGS, privacy: true };
  const of = (kind: 'account' | 'order' | 'price' | undefined): string =>
    render(Amount, { value: '-98648.72', unit: 'USDT', signed: true, of: kind }).container.innerHTML;
  for (const kind of ['account', undefined] as const) expect(of(kind)).not.toMatch(/98|648|72|down|−/);
  expect(of(undefined)).toContain('hidden');
  for (const kind of ['order', 'price'] as const) expect(of(kind)).toContain('98648.72 USDT');
  expect(plainMoney('12345.6')).not.toMatch(/\d/);
  expect(plainNumber('12345.6')).toBe('12,345.6');
  expect(maskedText('Bought 2.5 BTC-USDT-M')).toBe('Bought ••••• BTC-USDT-M');
});

it('is written everywhere in the user’s format; the title keeps the received text', () => {
  shownAs.value = { ...DEFAULT_SETTINGS, decimalMark: 'comma' };
  const { container } = render(Amount, { value: '1042313.75' });
  expect(container.textContent).toBe('1\u2009042\u2009313,75');
  expect(container.querySelector('[title]')?.getAttribute('title')).toBe('1042313.75');
  expect(countText(1234567)).toBe('1\u2009234\u2009567');
  expect(plainPercent('0.0512')).toBe('5,12%');
  expect(ageText(2_340)).toBe('2,3 s');
});

it('has no unit behind what could not be read, which may have one of its own', () => {
  const { container } = render(Amount, { value: null, received: '100 USDT', unit: 'USDT' });
  expect(container.textContent).toContain('100 USDT');
  expect(container.textContent).not.toMatch(/USDT.*USDT/);
});

it('writes the days of a chart in the user’s date format', () => {
  const day = Date.parse('2026-11-21T00:00:00Z');
  const written = (['iso', 'day-first', 'month-first'] as const).map((dateFormat) => {
    shownAs.value = { ...DEFAULT_SETTINGS, dateFormat };
    return dayText(day);
  });
  expect(written).toEqual(['11-21', '21.11.', '11/21']);
});

describe('an amount of money', () => {
  const shown = (value: string, props: Record<string, unknown> = {}): [seen: string, all: string] => {
    const { container } = render(Amount, { value, money: 'USDT', ...props });
    const all = container.textContent;
    for (const cut of container.querySelectorAll('.cut')) cut.remove();
    return [container.textContent, all];
  };
  beforeEach(() => {
    shownAs.quoteCoins = new Set(['USDT', 'USD']);
  });

  it('is cut toward zero and never rounded; its text, read aloud and copied, keeps every digit', () => {
    expect(shown('21181.198')).toEqual(['21,181.19', '21,181.198']);
    expect(shown('-28.41999999', { signed: true })).toEqual(['−28.41', '−28.41999999']);
    expect(shown('-0.0099', { signed: true })).toEqual(['−0.00', '−0.0099']);
    expect(shown('0.00371720', { money: 'BTC' })).toEqual(['0.003717', '0.0037172']);
  });
  it('shows two decimals and no tail where nothing was cut', () => {
    for (const value of ['4640.6', '4640.60', '4640.600000'])
      expect(shown(value)).toEqual(['4,640.60', '4,640.60']);
    expect(shown('1.5', { money: 'BTC' })).toEqual(['1.5', '1.5']);
    expect(shown('1.5', { money: 'BTC', decimals: 8 })).toEqual(['1.500000', '1.500000']);
    expect(shown('0')).toEqual(['0', '0']);
  });
  it('says in its title what was received', () => {
    const { container } = render(Amount, { value: '21181.198', money: 'USDT', unit: 'USDT' });
    expect(container.querySelector('[title]')?.getAttribute('title')).toBe('21181.198 USDT');
  });
  it('is shown as received when the user chooses so, and always in an order', () => {
    expect(shown('21181.198', { of: 'order' })[0]).toBe('21,181.198');
    expect(shown('21181.198', { of: 'price' })[0]).toBe('21,181.198');
    expect(shown('21181.198', { money: undefined })[0]).toBe('21,181.198');
    shownAs.value = { ...DEFAULT_SETTINGS, precision: 'received' };
    expect(shown('21181.198')[0]).toBe('21,181.198');
    expect(shown('21181.2')[0]).toBe('21,181.2');
  });
});
