/** The size a user gives a pane: stored per screen in the window's storage, limited by the available space. */
import * as v from 'valibot';
import { readStored, removeStored, writeStored } from './stored.ts';

/** Limits of a pane's size along the axis it resizes on, px. */
export interface PaneLimits {
  readonly min: number;
  /** Space left for the neighbouring pane, including the gap. */
  readonly rest: number;
  readonly max?: number;
}

/** A stored size. No larger than any screen, so that a damaged value cannot hide a pane. */
const schema = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(20_000));

/** Returns the largest size in `space` px; never below the minimum, however small the window is. */
export const largestSize = ({ min, rest, max = Infinity }: PaneLimits, space: number): number =>
  Math.max(min, Math.min(max, Math.round(space) - rest));

export const clampSize = (wanted: number, limits: PaneLimits, space: number): number =>
  Math.max(limits.min, Math.min(Math.round(wanted), largestSize(limits, space)));

export class PaneSize {
  readonly limits: PaneLimits;
  readonly #id: string;
  /** The size set by the user. A smaller window limits it only as long as it is small. */
  #wanted = $state<number | null>(null);
  /** Space of the pane and its neighbour, px; 0 until it is measured. */
  space = $state(0);

  constructor(id: string, limits: PaneLimits) {
    this.#id = `pane.${id}`;
    this.limits = limits;
    this.#wanted = readStored(this.#id, v.nullable(schema), null);
  }

  readonly largest: number = $derived.by(() =>
    this.space === 0 ? (this.limits.max ?? this.limits.min) : largestSize(this.limits, this.space),
  );
  /** The size in px; null for the screen's default. */
  readonly px: number | null = $derived.by(() =>
    this.#wanted === null
      ? null
      : this.space === 0
        ? this.#wanted
        : clampSize(this.#wanted, this.limits, this.space),
  );
  /** The size for a CSS variable: undefined by default, so that the style sheet decides. */
  readonly css: string | undefined = $derived.by(() => (this.px === null ? undefined : `${this.px}px`));

  resize(px: number): void {
    this.#wanted = clampSize(px, this.limits, this.space === 0 ? Infinity : this.space);
  }
  /** Stores the size; called at the end of a drag. */
  keep(): void {
    if (this.#wanted !== null) writeStored(this.#id, this.#wanted);
  }

  reset(): void {
    this.#wanted = null;
    removeStored(this.#id);
  }
}
