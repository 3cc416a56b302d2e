import { describe, expect, it } from 'vitest';
import { clampSize, largestSize, PaneSize } from './pane-size.svelte.ts';

const LIMITS = { min: 200, rest: 300, max: 600 };
const KEY = 'ballast.pane.side';
const side = (): PaneSize => new PaneSize('side', LIMITS);

describe('the size of a pane', () => {
  it('stays between its minimum, its maximum and the space its neighbour needs', () => {
    for (const [wanted, space, expected] of [
      [400, 1000, 400],
      [400.4, 1000, 400],
      [100, 1000, 200],
      [900, 2000, 600],
      [650, 800, 500],
      // Not enough space for both: the pane keeps its minimum, and the screen scrolls.
      [400, 420, 200],
      [400, 0, 200],
    ] as const)
      expect(clampSize(wanted, LIMITS, space), `${wanted} of ${space}`).toBe(expected);
    expect(largestSize({ min: 10, rest: 20 }, 5000)).toBe(4980);
  });

  it('is the default of the screen until it is set, and again after a reset', () => {
    const pane = side();
    expect([pane.px, pane.css]).toEqual([null, undefined]);
    pane.space = 1000;
    pane.resize(350);
    pane.keep();
    expect([pane.px, pane.css]).toEqual([350, '350px']);
    pane.reset();
    expect([pane.px, localStorage.getItem(KEY)]).toEqual([null, null]);
  });

  it('is stored when the splitter is released, and restored after a restart', () => {
    const pane = side();
    pane.space = 1000;
    pane.resize(350);
    expect(side().px).toBeNull();
    pane.keep();
    expect(side().px).toBe(350);
  });

  it('shrinks in a smaller window and returns to its size in a larger one', () => {
    const pane = side();
    pane.space = 1000;
    pane.resize(550);
    pane.keep();
    pane.space = 700;
    expect([pane.px, pane.largest]).toEqual([400, 400]);
    expect(side().px).toBe(550);
    pane.space = 1000;
    expect(pane.px).toBe(550);
  });

  it('is the default if the stored value is not a size', () => {
    for (const text of ['', '{', '"350"', '-4', '0', '1e9', '12.5', 'null', '[350]', '{"px":350}']) {
      localStorage.setItem(KEY, text);
      expect(side().px, text).toBeNull();
    }
  });
});
