/**
 * A table has two Tab stops: its head and one row, so that a hundred rows are not three hundred stops. → enters a row's
 * controls, ← and Esc leave them. A component can check here whether it is in a row.
 */
import { getContext, setContext } from 'svelte';

const IN_ROW = Symbol('in a row');
const PRESSABLE = 'button:not(:disabled), a[href], input:not(:disabled), select:not(:disabled)';

/** Called by a row for its cells (`true`), and for what it shows when expanded (`false`). */
export const placeInRow = (inRow: boolean): unknown => setContext(IN_ROW, inRow);

/** Returns the `tabindex` for a control at this place. */
export const rowTabIndex = (): -1 | undefined => (getContext<boolean>(IN_ROW) ? -1 : undefined);

const controlsOf = (row: HTMLElement): HTMLElement[] =>
  [...row.querySelectorAll<HTMLElement>(`td.cell :is(${PRESSABLE})`)].filter(
    // Controls in a row's menu are handled by the menu.
    (one) => one.closest('[popover]') === null,
  );

/** Focuses the first control of a row. @returns false when it has none */
export function enterRow(row: HTMLElement): boolean {
  const first = controlsOf(row)[0];
  first?.focus();
  return first !== undefined;
}

/**
 * Handles a key on a control of a row: ← → move to its neighbours, Esc or ← on the first one back to the row.
 * @returns whether the key was handled
 */
export function moveInRow(row: HTMLElement, control: HTMLElement, key: string): boolean {
  if (control.matches('input, select, textarea') && key !== 'Escape') return false;
  const all = controlsOf(row);
  const at = all.indexOf(control);
  if (at < 0) return false;
  if (key === 'Escape' || (key === 'ArrowLeft' && at === 0)) row.focus();
  else if (key === 'ArrowLeft') all[at - 1]?.focus();
  else if (key === 'ArrowRight') all[at + 1]?.focus();
  else return false;
  return true;
}

/**
 * Handles a key on a button of a table's head: ← → move to its neighbours, ↓ into the rows. Home and End are left to
 * the rows, whose ends are of interest after sorting by a click.
 * @returns whether the key was handled
 */
export function moveInHead(button: HTMLElement, key: string): boolean {
  const head = button.closest('thead, [role="row"]');
  const all = [...(head?.querySelectorAll<HTMLElement>('button') ?? [])];
  const at = all.indexOf(button);
  const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (by !== undefined) all[at + by]?.focus();
  else if (key === 'ArrowDown')
    head?.parentElement?.querySelector<HTMLElement>('[data-index][tabindex="0"]')?.focus();
  else return false;
  return true;
}
