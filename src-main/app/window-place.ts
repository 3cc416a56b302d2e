/** Restores the window's place, stored per display, where it is visible. */
import * as v from 'valibot';
import { integer } from '../../src-shared/checked-json.ts';

const boundsSchema = v.strictObject({ x: integer, y: integer, width: integer, height: integer });
export type Bounds = v.InferOutput<typeof boundsSchema>;

export const windowPlacesSchema = v.strictObject({
  version: v.literal(1),
  /** The last display; null before the first. */
  last: v.nullable(v.string()),
  /** By display. `bounds` are those before the window was maximized. */
  places: v.record(v.string(), v.strictObject({ bounds: boundsSchema, maximized: v.boolean() })),
});
export type WindowPlaces = v.InferOutput<typeof windowPlacesSchema>;
export const NO_PLACES: WindowPlaces = { version: 1, last: null, places: {} };

export interface Display {
  readonly id: number;
  /** Bounds without task bar and dock. */
  readonly workArea: Bounds;
}
interface Size {
  readonly width: number;
  readonly height: number;
}
export interface StartPlace {
  /** Bounds with the frame; null for the default size, placed by the system. */
  readonly bounds: Bounds | null;
  readonly maximized: boolean;
}

/** Returns the place on the last display, or on the primary one (the first listed) if that is gone. */
export function startPlace(
  { last, places }: WindowPlaces,
  displays: readonly Display[],
  least: Size,
): StartPlace {
  const display = displays.find((one) => String(one.id) === last) ?? displays[0];
  const place = display === undefined ? undefined : places[String(display.id)];
  if (display === undefined || place === undefined) return { bounds: null, maximized: false };
  return { bounds: inView(place.bounds, display.workArea, least), maximized: place.maximized };
}

/** Moves and shrinks `bounds` to be fully visible in `area`, but not below `least`. */
export function inView(bounds: Bounds, area: Bounds, least: Size): Bounds {
  const width = Math.max(least.width, Math.min(bounds.width, area.width));
  const height = Math.max(least.height, Math.min(bounds.height, area.height));
  const between = (at: number, from: number, space: number): number =>
    Math.max(from, Math.min(at, from + Math.max(0, space)));
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
