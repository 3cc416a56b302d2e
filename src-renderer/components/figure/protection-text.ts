/** Take profit and stop loss of a position in one cell: the trigger prices, and how much of the position they cover. */
import {
  coveredBy,
  firstTrigger,
  type Protection,
  protectionOf,
} from '../../../src-shared/domain/position/protection.ts';
import {
  amount,
  calculated,
  decimalsOf,
  divide,
  multiply,
  printFixed,
  signOf,
} from '../../../src-shared/amount.ts';
import { distanceShare, markOf } from '../../../src-shared/domain/position/metrics.ts';
import type { Position } from '../../../src-shared/exchange-api/account.ts';
import { plainMoney, plainNumber } from '../../text/number-text.ts';
import { shareText, type ShownText, type StyledPiece, plainText } from '../../text/shown-text.ts';

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
 * Returns the trigger that fires first with its distance, or, if it alone does not cover the position, with how much is
 * covered.
 */
function sideOf(position: Position, protection: Protection, kind: 'TP' | 'SL'): StyledPiece[] {
  const trigger = firstTrigger(position, protection, kind);
  const begins = kind === 'SL' ? { line: true as const } : {};
  const none: StyledPiece = { text: '—', className: 't3' };
  if (trigger === null) return [{ ...none, ...begins }, none];
  const mark = markOf(position);
  const price = plainNumber(trigger, { decimals: mark === null ? 0 : decimalsOf(mark) });
  const distance = mark === null ? '—' : plainText(shareText(distanceShare(mark, trigger), { signed: true }));
  return [
    { text: price, className: '', ...begins },
    extentText(position, protection, kind) ?? { text: distance, className: kind === 'TP' ? 'up' : 'down' },
  ];
}

/** Returns how much of a position a quantity is, in whole percent; never rounded up to all of it. */
export function coverPercent(quantity: string, held: string): string {
  if (signOf(held) === 0) return '—';
  const percent = printFixed(divide(multiply(calculated(quantity), amount('100')), amount(held)), 0, 'down');
  return signOf(percent) === 0 ? '<1%' : `${percent}%`;
}

/** Returns how much of the position the orders of a kind cover; null where one covers all of it, or there are none. */
export function extentText(
  position: Position,
  protection: Protection,
  kind: 'TP' | 'SL',
): { readonly text: string; readonly className: string } | null {
  const { extent, quantity } = coveredBy(position, protection, kind);
  const { length } = protection.orders.filter((one) => one.kind === kind);
  const within = length > 1 ? ` in ${length}` : '';
  switch (extent) {
    case 'none':
      return null;
    case 'all':
      return length === 1 ? null : { text: `all${within}`, className: 't2' };
    case 'more':
      return { text: 'too large', className: 'warn' };
    case 'unknown':
      return { text: '?', className: 'warn' };
    case 'part': {
      const share = coverPercent(quantity ?? '0', position.quantity ?? '1');
      return { text: length === 1 ? `for ${share}` : `${share}${within}`, className: 'warn' };
    }
  }
}

function coverageText(position: Position, { orders }: Protection, kind: 'TP' | 'SL'): string {
  const of = orders.filter((one) => one.kind === kind);
  if (of.length === 0) return 'none';
  const each = of.map(({ trigger, quantity }) => {
    const much = quantity === null ? 'an unknown part' : plainMoney(quantity);
    return `at ${plainNumber(trigger)} for ${much}`;
  });
  const held = position.quantity === null ? 'an unknown size' : plainMoney(position.quantity);
  return `${each.join(', ')} of ${held}`;
}
