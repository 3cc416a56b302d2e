import { describe, expect, it } from 'vitest';
import { line, median } from './harness.ts';

describe('line', () => {
  it('is one JSON object with the keys outside checks read', () => {
    const figure = { figure: 'gzip', value: 30.00000001, unit: 'KB', baseline: 'hello', baselineValue: 20 };
    expect(line('bundle', figure)).toBe(
      '{"bench":"bundle","figure":"gzip","value":30,"unit":"KB","peer":"hello","peerValue":20,"ratio":1.5}',
    );
  });

  it('has no ratio where there is no baseline', () => {
    const figure = { figure: 'gzip', value: 3, unit: 'KB', baseline: null, baselineValue: null };
    expect(JSON.parse(line('bundle', figure))).toMatchObject({ peer: null, peerValue: null, ratio: null });
  });
});

describe('median', () => {
  it('is the middle, or the mean of the two middles', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([9, 1, 5, 7])).toBe(6);
    expect(() => median([])).toThrow(RangeError);
  });
});
