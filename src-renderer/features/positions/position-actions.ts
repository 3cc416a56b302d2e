/** What can be done with an open position. Nothing here sends: each opens the sheet, which reviews. */
import type { Position } from '../../../src-shared/interface/account.ts';
import { isLongOrShort } from '../../../src-shared/domain/order-context.ts';
import { plainNumber } from '../../components/number-text.ts';
import type { AppState } from '../../state/app-state.svelte.ts';
import type { Command } from '../../state/commands.svelte.ts';
import type { PositionRow } from './positions.svelte.ts';

export const canAct = (position: Position): boolean => isLongOrShort(position.side);

export function closePosition(app: AppState, position: Position): void {
  app.close.start(position, 'all');
}
export function takeProfit(app: AppState, position: Position): void {
  app.close.start(position, 'take-profit');
}

export function closeCommands(app: AppState, rows: readonly PositionRow[]): Command[] {
  const each = rows
    .filter(({ position }) => canAct(position))
    .map(({ key, position }) => ({
      id: `close ${key}`,
      title: `Close ${position.symbolId} ${position.side === 'BUY' ? 'long' : 'short'} ${plainNumber(position.quantity)}…`,
      keys: 'C',
      run: () => closePosition(app, position),
    }));
  if (rows.length === 0) return each;
  const all = { id: 'close all', title: 'Close all positions…', run: () => app.closeEverything.start() };
  return [...each, all];
}
