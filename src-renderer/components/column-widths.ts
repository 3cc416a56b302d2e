import { HIDDEN } from '../../src-shared/domain/display/privacy-mask.ts';
import { groupMark } from '../text/number-text.ts';
import { CUT } from '../text/shown-text.ts';

/** Without the digits that are cut. */
const seenIn = (cell: HTMLElement): string =>
  [...cell.querySelectorAll(`.${CUT}`)].reduce(
    (text, { textContent }) => text.replace(textContent, ''),
    cell.textContent,
  );

interface Widest {
  readonly text: string;
  readonly strong: boolean;
}

/**
 * The widest text each column of figures has shown. Its head keeps that much room (DataTableHead), so that a sign or a
 * digit less does not move every column beside it at a poll, which also costs the whole table its layout and paint.
 */
export class ColumnRoom {
  readonly #widest = new Map<string, Widest>();
  readonly #heads = new Map<string, HTMLElement>();

  /** An action of a column's head. */
  readonly head = (element: HTMLElement, key: string): { destroy: () => void } => {
    this.#heads.set(key, element);
    this.#tell(key);
    return { destroy: () => this.#heads.delete(key) };
  };

  /** `text` stands in the column now. Digits are as wide as each other: how many there are is kept, not which. */
  note(key: string, text: string, strong: boolean): void {
    const widest = this.#widest.get(key);
    // A column's width must not reveal how long hidden amounts are.
    if (text.includes(HIDDEN)) this.#widest.delete(key);
    else if (widest === undefined || text.length > widest.text.length)
      this.#widest.set(key, { text: text.replace(/\d/g, '0'), strong });
    else return;
    this.#tell(key);
  }

  /** The cells of a table's foot that stand under a column. */
  noteTotals(foot: HTMLElement): void {
    for (const cell of foot.querySelectorAll<HTMLElement>('[data-column]'))
      this.note(cell.dataset['column'] ?? '', seenIn(cell), true);
  }

  /** Other rows are shown: they need their own room. */
  forget(): void {
    const known = [...this.#widest.keys()];
    this.#widest.clear();
    for (const key of known) this.#tell(key);
  }

  #tell(key: string): void {
    const head = this.#heads.get(key);
    if (head === undefined) return;
    const { text = '', strong = false } = this.#widest.get(key) ?? {};
    head.dataset['widest'] = text;
    head.style.setProperty('--widest-weight', strong ? '500' : '400');
    // Drawn closer in a figure than in a plain text (styles/figures.css).
    const mark = groupMark();
    head.style.setProperty('--marks', String(mark === '' ? 0 : text.split(mark).length - 1));
  }
}
