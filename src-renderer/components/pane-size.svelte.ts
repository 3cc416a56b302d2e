/** The size a user gives a pane: kept per screen in the window's storage, limited by the room there is. */
import * as v from 'valibot';
import { readStored, removeStored, writeStored } from './stored.ts';

/** Limits of a pane's size along the axis it resizes on, px. */
export interface PaneLimits {
  readonly min: number;
  /** Kept for the pane beside it, with the gap between them. */
  readonly rest: number;
  readonly max?: number;
}

/** A size that was stored: no more than any screen has, so that a damaged value cannot hide a pane. */
const schema = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(20_000));

/** The largest size in `room` px; never below the minimum, however small the window is. */
export const largestSize = ({ min, rest, max = Infinity }: PaneLimits, room: number): number =>
  Math.max(min, Math.min(max, Math.round(room) - rest));

export const clampSize = (wanted: number, limits: PaneLimits, room: number): number =>
  Math.max(limits.min, Math.min(Math.round(wanted), largestSize(limits, room)));

export class PaneSize {
  readonly limits: PaneLimits;
  readonly #id: string;
  /** As the user set it. It outlasts a smaller window: with the room, the size comes back. */
  #wanted = $state<number | null>(null);
  /** Of the pane and what is beside it, px; 0 while it is not measured. */
  room = $state(0);

  constructor(id: string, limits: PaneLimits) {
    this.#id = `pane.${id}`;
    this.limits = limits;
    this.#wanted = readStored(this.#id, v.nullable(schema), null);
  }

  readonly largest: number = $derived.by(() =>
    this.room === 0 ? (this.limits.max ?? this.limits.min) : largestSize(this.limits, this.room),
  );
  /** px; null for the default of the screen. */
  readonly px: number | null = $derived.by(() =>
    this.#wanted === null
      ? null
      : this.room === 0
        ? this.#wanted
        : clampSize(this.#wanted, this.limits, this.room),
  );
  /** For a variable of the layout: absent by default, so that the style sheet decides. */
  readonly css: string | undefined = $derived.by(() => (this.px === null ? undefined : `${this.px}px`));

  resize(px: number): void {
    this.#wanted = clampSize(px, this.limits, this.room === 0 ? Infinity : this.room);
  }
  /** Stores it: once a drag, at its end. */
  keep(): void {
    if (this.#wanted !== null) writeStored(this.#id, this.#wanted);
  }

  reset(): void {
    this.#wanted = null;
    removeStored(this.#id);
  }
}
