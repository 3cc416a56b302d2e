import { expect, it } from 'vitest';
import { zoomed } from './zoom.ts';

it('zooms in steps, from a value between them too, and stays at the ends', () => {
  expect([zoomed(100, 'in'), zoomed(100, 'out'), zoomed(104, 'in'), zoomed(104, 'out')]).toEqual([
    110, 90, 110, 100,
  ]);
  expect([zoomed(300, 'in'), zoomed(50, 'out'), zoomed(250, 'reset')]).toEqual([300, 50, 100]);
});
