/** Short texts for the rows of a batch. */
import type { RowCells } from '../../../src-shared/domain/batch/row.ts';

const isOn = (text: string): boolean => ['true', '1'].includes(text.trim().toLowerCase());

/** Returns whatever differs from a plain GTC limit order. */
export function flagsOf(cells: RowCells): string[] {
  const flags: string[] = [];
  const inForce = cells.timeInForce.trim().toUpperCase();
  if (cells.type.trim().toUpperCase() === 'MARKET') flags.push('Market');
  else if (inForce !== '' && inForce !== 'GTC') flags.push(inForce);
  if (isOn(cells.postOnly)) flags.push('Post');
  if (isOn(cells.reduceOnly)) flags.push('Reduce');
  if (isOn(cells.reverseOrder)) flags.push('Reverse');
  return flags;
}

/** Returns the triggers a row has, which a narrow table has no columns for. */
export const triggersOf = (cells: RowCells): string[] =>
  (['tp', 'sl'] as const)
    .filter((name) => cells[`${name}Price`].trim() !== '')
    .map((name) => name.toUpperCase());
