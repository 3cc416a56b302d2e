import { describe, expect, it } from 'vitest';
import { stepped, stepsOf } from './number-step.ts';

const PLAIN = { shiftKey: false, altKey: false, ctrlKey: false, metaKey: false };

describe('the steps of a number', () => {
  it('are one of its last decimal, and ten with Shift', () => {
    expect(stepsOf({ ...PLAIN, key: 'ArrowUp' })).toBe(1);
    expect(stepsOf({ ...PLAIN, key: 'ArrowDown', shiftKey: true })).toBe(-10);
    expect(stepsOf({ ...PLAIN, key: 'ArrowUp', altKey: true })).toBe(0);
    expect(stepsOf({ ...PLAIN, key: 'a' })).toBe(0);
  });

  it('keep every digit typed, and are exact', () => {
    expect(stepped('64119.8', null, 1, 1)).toBe('64119.9');
    expect(stepped('64119.83', null, 1, 1)).toBe('64119.93');
    expect(stepped('0.3', null, 1, -1)).toBe('0.2');
    expect(stepped('9007199254740993', null, 0, 10)).toBe('9007199254741003');
    expect(stepped(' 12 ', null, 2, -10)).toBe('11.90');
  });

  it('start an empty number from a price, on its step', () => {
    expect(stepped('', '64119.83', 1, 1)).toBe('64119.9');
    expect(stepped('', null, 1, 1)).toBeNull();
  });

  it('never reach 0, and leave a text that is no number', () => {
    expect(stepped('0.1', null, 1, -1)).toBeNull();
    for (const text of ['-', '1,5', '12.', '5%']) expect(stepped(text, '1', 1, 1), text).toBeNull();
  });
});
