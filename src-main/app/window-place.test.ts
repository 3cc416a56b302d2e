import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inView, NO_PLACES, startPlace, withPlace } from './window-place.ts';

const LEAST = { width: 1024, height: 700 };
const first = { id: 1, workArea: { x: 0, y: 0, width: 1920, height: 1050 } };
const second = { id: 2, workArea: { x: 1920, y: -200, width: 2560, height: 1400 } };

describe('the window’s place', () => {
  it('is the system’s choice before one is stored', () => {
    expect(startPlace(NO_PLACES, [first], LEAST)).toEqual({ bounds: null, maximized: false });
  });

  it('is stored per display; without the last display the primary one’s is used', () => {
    const onFirst = withPlace(NO_PLACES, 1, { x: 10, y: 20, width: 1200, height: 800 }, false);
    const onBoth = withPlace(onFirst, 2, { x: 2000, y: 0, width: 1600, height: 1000 }, true);
    expect(startPlace(onBoth, [first, second], LEAST)).toEqual({
      bounds: { x: 2000, y: 0, width: 1600, height: 1000 },
      maximized: true,
    });
    expect(startPlace(onBoth, [first], LEAST)).toEqual({
      bounds: { x: 10, y: 20, width: 1200, height: 800 },
      maximized: false,
    });
  });

  it('is in view wherever it was, and never under the least size', () => {
    const at = fc.integer({ min: -9000, max: 9000 });
    const size = fc.integer({ min: 1, max: 9000 });
    const bounds = fc.record({ x: at, y: at, width: size, height: size });
    fc.assert(
      fc.property(bounds, fc.constantFrom(first.workArea, second.workArea), (kept, area) => {
        const now = inView(kept, area, LEAST);
        expect(now.x).toBeGreaterThanOrEqual(area.x);
        expect(now.y).toBeGreaterThanOrEqual(area.y);
        expect(now.x + now.width).toBeLessThanOrEqual(area.x + area.width);
        expect(now.y + now.height).toBeLessThanOrEqual(area.y + area.height);
        expect(now.width >= LEAST.width && now.height >= LEAST.height).toBe(true);
        // Already visible and large enough: unchanged.
        expect(inView(now, area, LEAST)).toEqual(now);
      }),
    );
  });

  it('of a display smaller than the least size begins at its corner', () => {
    const small = { x: 100, y: 50, width: 800, height: 600 };
    expect(inView({ x: 0, y: 0, width: 2000, height: 2000 }, small, LEAST)).toEqual({
      x: 100,
      y: 50,
      ...LEAST,
    });
  });
});
