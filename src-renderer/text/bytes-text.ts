import { plainNumber } from './number-text.ts';

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;
/** 1,536,000 → `1.5 MB`: in powers of 1,000, like file managers. */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 ? String(value) : plainNumber(value.toFixed(1))} ${UNITS[unit] ?? ''}`;
}
