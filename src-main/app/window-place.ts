/** Where the window was, a place for each display; put back where it can be seen. */
import * as v from 'valibot';

const whole = v.pipe(v.number(), v.integer());
const boundsSchema = v.strictObject({ x: whole, y: whole, width: whole, height: whole });
export type Bounds = v.InferOutput<typeof boundsSchema>;

export const windowPlacesSchema = v.strictObject({
  version: v.literal(1),
  /** The display it was on last; null before the first. */
  last: v.nullable(v.string()),
  /** By display; `bounds` are those of the window before it was maximized. */
  places: v.record(v.string(), v.strictObject({ bounds: boundsSchema, maximized: v.boolean() })),
});
export type WindowPlaces = v.InferOutput<typeof windowPlacesSchema>;
export const NO_PLACES: WindowPlaces = { version: 1, last: null, places: {} };

export interface Display {
  readonly id: number;
  /** Without task bar and dock. */
  readonly workArea: Bounds;
}
interface Size {
  readonly width: number;
  readonly height: number;
}
export interface StartPlace {
  /** With the frame; null: the usual size, where the system chooses. */
  readonly bounds: Bounds | null;
  readonly maximized: boolean;
}

/** `displays` begin with the primary one: where the last one is gone, the window opens there as it was there. */
export function startPlace(
  { last, places }: WindowPlaces,
  displays: readonly Display[],
  least: Size,
): StartPlace {
  const display = displays.find((one) => String(one.id) === last) ?? displays[0];
  const kept = display === undefined ? undefined : places[String(display.id)];
  if (display === undefined || kept === undefined) return { bounds: null, maximized: false };
  return { bounds: inView(kept.bounds, display.workArea, least), maximized: kept.maximized };
}

/** The nearest place at which all of it is seen. Never smaller than `least`, even where that has no room. */
export function inView(bounds: Bounds, area: Bounds, least: Size): Bounds {
  const width = Math.max(least.width, Math.min(bounds.width, area.width));
  const height = Math.max(least.height, Math.min(bounds.height, area.height));
  const between = (at: number, from: number, room: number): number =>
    Math.max(from, Math.min(at, from + Math.max(0, room)));
  return {
    x: between(bounds.x, area.x, area.width - width),
    y: between(bounds.y, area.y, area.height - height),
    width,
    height,
  };
}

export const withPlace = (
  places: WindowPlaces,
  displayId: number,
  bounds: Bounds,
  maximized: boolean,
): WindowPlaces => ({
  version: 1,
  last: String(displayId),
  places: { ...places.places, [String(displayId)]: { bounds, maximized } },
});
