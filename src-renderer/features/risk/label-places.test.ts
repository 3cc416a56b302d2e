import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Box, labelPlaces, stepBoxes } from './label-places.ts';

const area: Box = { left: 0, top: 0, right: 600, bottom: 200 };
const label = (x: number, onLeft = false) => ({ x, width: 120, height: 34, onLeft });
const covers = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

describe('the labels of a chart', () => {
  it('stand beside their lines at the preferred height, on the side they prefer', () => {
    expect(labelPlaces([label(300)], area, [])).toEqual([{ left: 309, top: 84, right: 429, bottom: 118 }]);
    expect(labelPlaces([label(300, true)], area, [])[0]).toMatchObject({ right: 291 });
    // No space left of it.
    expect(labelPlaces([label(50, true)], area, [])[0]).toMatchObject({ left: 59 });
  });

  it('leave a curve that runs through the preferred place', () => {
    const curve = stepBoxes([
      { x: 0, y: 100 },
      { x: 600, y: 100 },
    ]);
    const [box] = labelPlaces([label(300)], area, curve);
    expect(curve.some((one) => covers(box!, one))).toBe(false);
  });

  it('cover a curve rather than each other', () => {
    const low: Box = { ...area, bottom: 110 };
    const curves = stepBoxes([
      { x: 0, y: 20 },
      { x: 600, y: 20 },
    ]);
    const [first, second] = labelPlaces([label(300, true), { ...label(310), width: 400 }], low, curves);
    expect(covers(first!, second!)).toBe(false);
  });

  it('are within the chart and cover neither curve nor each other where there is space', () => {
    const marks = fc.array(fc.integer({ min: 130, max: 470 }), { minLength: 1, maxLength: 3 });
    const heights = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 180, max: 200 }));
    fc.assert(
      fc.property(marks, heights, fc.integer({ min: 1, max: 599 }), (xs, [low, high], at) => {
        const curves = stepBoxes([
          { x: 0, y: high },
          { x: at, y: high },
          { x: at, y: low },
          { x: 600, y: low },
        ]);
        const boxes = labelPlaces(
          xs.map((x) => label(x)),
          area,
          curves,
        );
        expect(boxes).toHaveLength(xs.length);
        for (const [index, box] of boxes.entries()) {
          expect(box.left).toBeGreaterThanOrEqual(area.left);
          expect(box.right).toBeLessThanOrEqual(area.right);
          expect(box.top).toBeGreaterThanOrEqual(area.top);
          expect(box.bottom).toBeLessThanOrEqual(area.bottom);
          expect(curves.some((one) => covers(box, one))).toBe(false);
          expect(boxes.slice(0, index).some((one) => covers(box, one))).toBe(false);
        }
      }),
    );
  });
});
