import { render } from '@testing-library/svelte';
import { afterEach, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src-shared/contract/settings.ts';
import Amount from './Amount.svelte';
import { plainMoney, plainNumber } from './number-text.ts';
import { shownAs } from './shown-as.svelte.ts';

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
});

it('is written as the person says, everywhere at once; the title keeps what was received', () => {
  shownAs.value = { ...DEFAULT_SETTINGS, decimalMark: 'comma' };
  const { container } = render(Amount, { value: '1042313.75' });
  expect(container.textContent).toBe('1.042.313,75');
  expect(container.querySelector('[title]')?.getAttribute('title')).toBe('1042313.75');
});
