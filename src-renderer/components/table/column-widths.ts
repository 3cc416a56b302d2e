import { HIDDEN } from '../../../src-shared/domain/display/privacy-mask.ts';
import { groupMark } from '../../text/number-text.ts';
import { CUT, UNIT } from '../../text/shown-text.ts';

/** Returns a cell's text without its unit and the digits that are cut. */
const seenIn = (cell: HTMLElement): string =>
  [...cell.querySelectorAll(`.${CUT}, .${UNIT}`)].reduce(
    (text, { textContent }) => text.replace(textContent, ''),
    cell.textContent,
  );

interface Widest {
  readonly text: string;
  readonly strong: boolean;
}

/** A letter of a unit and the space before it, px. */
const LETTER = 8;
const UNIT_GAP = 5;
/** A longer unit is shortened: the row's symbol has all of it. */
const LONGEST_UNIT = 8;
const lettersOf = (unit: string): number => Math.min(unit.trim().length, LONGEST_UNIT);
const slotOf = (letters: number): string => `${UNIT_GAP + LETTER * letters}px`;
/** Returns the width to leave free for the longest of these units; undefined without any. */
export const slotFor = (units: readonly string[]): string | undefined =>
  units.length === 0 ? undefined : slotOf(Math.max(...units.map(lettersOf)));

/**
 * Returns the style of a column's cells that have units: every cell of it, also one without, leaves the same room for
 * them, so that digits end at the same place in each row.
 */
export const unitSlot = ({
  key,
  coin,
}: {
  readonly key: string;
  readonly coin?: unknown;
}): string | undefined => (coin === undefined ? undefined : `var(--unit-${key})`);

/**
 * Remembers the widest text each column has shown. Its head reserves that width (DataTableHead), since a sign or digit
 * less would shift all columns at a poll and cost the layout and paint of the whole table.
 */
export class ColumnWidths {
  readonly #widest = new Map<string, Widest>();
  readonly #heads = new Map<string, HTMLElement>();
  /** Letters of the longest unit. */
  readonly #units = new Map<string, number>();

  /** Svelte action for a column's head. */
  readonly head = (element: HTMLElement, key: string): { destroy: () => void } => {
    this.#heads.set(key, element);
    this.#report(key);
    return { destroy: () => this.#heads.delete(key) };
  };

  /** Records a column's text. Digits are equally wide, so only their number is kept. */
  note(key: string, text: string, strong: boolean): void {
    const widest = this.#widest.get(key);
    // A column's width must not reveal how long hidden amounts are.
    if (text.includes(HIDDEN)) this.#widest.delete(key);
    else if (widest === undefined || text.length > widest.text.length)
      this.#widest.set(key, { text: text.replace(/\d/g, '0'), strong });
    else return;
    this.#report(key);
  }

  /** Records a column's unit, which keeps its place when other rows are shown. */
  noteUnit(key: string, unit: string): void {
    const letters = lettersOf(unit);
    if (letters <= (this.#units.get(key) ?? 0)) return;
    this.#units.set(key, letters);
    this.#report(key);
  }

  /** Records the totals that a table's foot shows under the columns. */
  noteTotals(foot: HTMLElement): void {
    for (const cell of foot.querySelectorAll<HTMLElement>('[data-column]'))
      this.note(cell.dataset['column'] ?? '', seenIn(cell), true);
  }

  /** Call when other rows are shown: they need widths of their own. */
  forget(): void {
    const known = [...this.#widest.keys()];
    this.#widest.clear();
    for (const key of known) this.#report(key);
  }

  #report(key: string): void {
    const head = this.#heads.get(key);
    if (head === undefined) return;
    const letters = this.#units.get(key);
    if (letters !== undefined) head.closest('table')?.style.setProperty(`--unit-${key}`, slotOf(letters));
    const { text = '', strong = false } = this.#widest.get(key) ?? {};
    head.dataset['widest'] = text;
    head.style.setProperty('--widest-weight', strong ? '500' : '400');
    // Group marks take less space in a figure than in plain text (styles/figures.css).
    const mark = groupMark();
    head.style.setProperty('--marks', String(mark === '' ? 0 : text.split(mark).length - 1));
  }
}
