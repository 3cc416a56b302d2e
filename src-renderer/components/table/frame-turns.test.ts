import { beforeEach, expect, it, vi } from 'vitest';
import { inTurn } from './frame-turns.ts';

let frames: (() => void)[];
beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run));
});

/** Draws until nothing is left to write; returns what was written in each frame that wrote anything. */
function drawn(written: string[]): string[][] {
  const each: string[][] = [];
  while (frames.length > 0) {
    const from = written.length;
    for (const run of frames.splice(0)) run();
    if (written.length > from) each.push(written.slice(from));
  }
  return each;
}

/** More rows than are written in the frame of the poll's other changes. */
const MANY = Array.from({ length: 14 }, (_, index) => `row ${index}`);

it('spreads many rows over several frames, in the order of the requests', () => {
  const written: string[] = [];
  for (const name of MANY)
    inTurn(() => {
      written.push(name);
      return 40;
    });
  expect(written).toEqual([]);
  expect(drawn(written)).toEqual([MANY.slice(0, 4), MANY.slice(4, 8), MANY.slice(8, 12), MANY.slice(12)]);
});

it('leaves the next frame to other changes, unless the rows are few', () => {
  const written: string[] = [];
  for (const name of MANY) inTurn(() => written.push(name));
  for (const run of frames.splice(0)) run();
  expect(written).toEqual([]);
  expect(drawn(written).flat()).toEqual(MANY);

  inTurn(() => written.push('one row'));
  for (const run of frames.splice(0)) run();
  expect(written.at(-1)).toBe('one row');
  expect(frames).toEqual([]);
});

it('does not count rows whose text is unchanged', () => {
  const written: string[] = [];
  for (const name of ['a', 'b', 'c'])
    inTurn(() => {
      written.push(name);
      return 0;
    });
  expect(drawn(written)).toEqual([['a', 'b', 'c']]);
});

it('writes a row once even if it was requested twice', () => {
  const written: string[] = [];
  const row = (): number => written.push('row');
  inTurn(row);
  inTurn(row);
  expect(drawn(written)).toEqual([['row']]);
  // It can be requested again once its text changed.
  inTurn(row);
  expect(drawn(written)).toEqual([['row']]);
});
