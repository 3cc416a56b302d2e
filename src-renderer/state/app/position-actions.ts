/** Actions on an open position. None sends: each fills the ticket or opens a sheet, which reviews first. */
import { amount, isPositive, multiply, print, sendable } from '../../../src-shared/amount.ts';
import type { OrderContext } from '../../../src-shared/domain/instrument/trading-context.ts';
import { isLongOrShort, opposite } from '../../../src-shared/exchange-api/enums.ts';
import { shareOf } from '../../../src-shared/domain/order/size.ts';
import { firstTrigger, protectionOf } from '../../../src-shared/domain/position/protection.ts';
import type { Position } from '../../../src-shared/exchange-api/account.ts';
import { plainMoney, plainNumber } from '../../text/number-text.ts';
import { reverseQuantityOf } from '../order/trading-context.ts';
import type { TicketSeed } from '../session/navigation.svelte.ts';
import type { AppState } from './app-state.svelte.ts';

/** One action, for the menu and the palette. */
export interface PositionEntry {
  readonly label: string;
  /** The result at the current price, or why the action is disabled. */
  readonly note?: string;
  /** The keys that do it for a focused row. */
  readonly keys?: string;
  readonly disabled?: boolean;
  /** Shown in a row of tiles: closing a share of the position. */
  readonly tile?: true;
  /** Starts a new group of the menu. */
  readonly apart?: true;
  readonly run: () => void;
}

export const canAct = (position: Position): boolean => isLongOrShort(position.side);

export const copyPosition = (app: AppState, position: Position): void =>
  void app.run('clipboard.write', { text: JSON.stringify(position, null, 2) });

/** Returns the order that reverses a position, or why there is none. */
export function reversalOf(
  position: Position,
  reverseQuantity: OrderContext['reverseQuantity'],
): { readonly seed: TicketSeed } | { readonly off: string } {
  const { symbolId, side, quantity } = position;
  if (!isLongOrShort(side)) return { off: 'its side is unknown' };
  if (reverseQuantity === 'unset')
    return { off: 'set the quantity of reverse orders in the connection settings' };
  if (quantity === null) return { off: 'its quantity cannot be read' };
  const held = sendable(quantity);
  if (held === null) return { off: 'its quantity has more digits than can be sent' };
  const size = reverseQuantity === 'sum' ? print(multiply(amount(held), amount('2'))) : held;
  return { seed: { symbolId, side: opposite(side), type: 'MARKET', quantity: size, reverseOrder: true } };
}

/** All actions of a position, in menu order. */
export function positionEntries(app: AppState, position: Position): readonly PositionEntry[] {
  const { symbolId, side } = position;
  const off = !canAct(position);
  return [
    ...closeEntries(app, position),
    { label: 'Close at limit…', disabled: off, run: () => app.close.start(position, 'limit') },
    {
      label: 'Take profit…',
      note: targetNote(position),
      apart: true,
      disabled: off,
      run: () => app.close.start(position, 'take-profit'),
    },
    { label: 'Stop loss…', note: 'only with an opening order', disabled: true, run: () => undefined },
    {
      label: 'Add…',
      disabled: off,
      run: () => {
        if (isLongOrShort(side)) app.navigation.trade({ symbolId, side, reduceOnly: false });
      },
    },
    reverseEntry(app, position),
    {
      label: 'What-if',
      apart: true,
      run: () => app.navigation.go('risk', { symbolId, part: 'what-if' }),
    },
    {
      label: 'Liquidation price…',
      keys: 'E',
      run: () => void (app.navigation.liquidationOf = position),
    },
    { label: 'Trades', run: () => app.navigation.go('trades', { symbolId }) },
    { label: 'Copy', keys: `${app.session.control} C`, run: () => copyPosition(app, position) },
  ];
}

/** Shares rounded down to the lot; disabled if that is 0. */
function closeEntries(app: AppState, position: Position): PositionEntry[] {
  const lot = app.specs.of(position.symbolId).quantityDecimals;
  const part = (percent: '25' | '50'): PositionEntry => {
    const quantity =
      lot === null || position.quantity === null || !canAct(position)
        ? null
        : shareOf(position.quantity, percent, lot);
    const none = quantity === null || !isPositive(amount(quantity));
    return {
      label: `Close ${percent}%`,
      note: quantity === null || lot === null ? 'lot not known' : plainMoney(quantity, { decimals: lot }),
      tile: true,
      disabled: none,
      run: () => app.close.start(position, 'part', percent),
    };
  };
  const { quantity } = position;
  return [
    part('25'),
    part('50'),
    {
      label: 'Close 100%',
      note: quantity === null ? '—' : plainMoney(quantity),
      keys: 'C',
      tile: true,
      disabled: !canAct(position),
      run: () => app.close.start(position),
    },
  ];
}

function targetNote(position: Position): string {
  const protection = protectionOf(position);
  const at = firstTrigger(position, protection, 'TP');
  if (at !== null) return plainNumber(at);
  return protection.unread === 0 ? 'none' : 'not known';
}

function reverseEntry(app: AppState, position: Position): PositionEntry {
  const reversal = reversalOf(position, reverseQuantityOf(app.session));
  if ('off' in reversal) return { label: 'Reverse…', note: reversal.off, disabled: true, run: () => {} };
  const side = position.side === 'BUY' ? 'short' : 'long';
  return {
    label: 'Reverse…',
    note: `to ${side} ${plainMoney(position.quantity ?? '')}`,
    run: () => app.navigation.trade(reversal.seed),
  };
}
