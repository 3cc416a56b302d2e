/** Take profit and stop loss of a position in one cell: the trigger prices, and how much of the position they cover. */
import {
  coveredBy,
  firstTrigger,
  type Protection,
  protectionOf,
} from '../../../src-shared/domain/position/protection.ts';
import { decimalsOf } from '../../../src-shared/amount.ts';
import { distanceShare, markOf } from '../../../src-shared/domain/position/metrics.ts';
import type { Position } from '../../../src-shared/exchange-api/account.ts';
import { plainText } from '../table/text-writer.ts';
import { plainNumber } from '../../text/number-text.ts';
import { shareText, type ShownText, type StyledPiece } from '../../text/shown-text.ts';

const EXTENT: Readonly<Record<'part' | 'more' | 'unknown', string>> = {
  part: 'part',
  more: 'too large',
  unknown: '?',
};

export function protectionText(position: Position): ShownText {
  const protection = protectionOf(position);
  const { orders, unread } = protection;
  if (unread === null)
    return {
      pieces: ['not known'],
      className: 'warn',
      title: 'The TP/SL orders cannot be read. See the expanded row',
    };
  if (orders.length === 0 && unread === 0)
    return { pieces: ['—'], className: 't3', title: 'No take profit and no stop loss on this position' };
  if (orders.length === 0)
    return {
      pieces: [`${unread} unreadable`],
      className: 'warn',
      title: 'Some TP/SL orders cannot be read. See the expanded row',
    };
  return {
    pieces: [...sideOf(position, protection, 'TP'), ...sideOf(position, protection, 'SL')],
    className: 'tp-sl',
    title: `${orders.length} orders: take profit ${coverageText(position, protection, 'TP')}, stop loss ${coverageText(position, protection, 'SL')}`,
  };
}

/**
 * Returns the trigger that fires first with its distance, or, if not all of the position is covered, with how much is.
 */
function sideOf(position: Position, protection: Protection, kind: 'TP' | 'SL'): StyledPiece[] {
  const trigger = firstTrigger(position, protection, kind);
  const begins = kind === 'SL' ? { line: true as const } : {};
  const none: StyledPiece = { text: '—', className: 't3' };
  if (trigger === null) return [{ ...none, ...begins }, none];
  const mark = markOf(position);
  const extent = extentText(position, protection, kind);
  const price = plainNumber(trigger, { decimals: mark === null ? 0 : decimalsOf(mark) });
  const way = mark === null ? '—' : plainText(shareText(distanceShare(mark, trigger), { signed: true }));
  return [
    { text: price, className: '', ...begins },
    extent === null
      ? { text: way, className: kind === 'TP' ? 'up' : 'down' }
      : { text: extent, className: 'warn' },
  ];
}

/** Returns how much of the position the orders of a kind cover; null where that is all of it, or there are none. */
export function extentText(position: Position, protection: Protection, kind: 'TP' | 'SL'): string | null {
  const { extent } = coveredBy(position, protection, kind);
  return extent === 'all' || extent === 'none' ? null : EXTENT[extent];
}

function coverageText(position: Position, protection: Protection, kind: 'TP' | 'SL'): string {
  const trigger = firstTrigger(position, protection, kind);
  if (trigger === null) return 'none';
  const { extent, quantity } = coveredBy(position, protection, kind);
  const much = extent === 'unknown' ? 'an unknown part' : extent === 'all' ? 'all' : (quantity ?? '?');
  return `at ${plainNumber(trigger)} for ${much} of ${position.quantity ?? 'an unknown size'}`;
}
