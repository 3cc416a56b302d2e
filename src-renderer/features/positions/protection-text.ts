/** Take profit and stop loss of a position in one cell: where, and for how much of it. */
import {
  coveredBy,
  firstTrigger,
  type Protection,
  protectionOf,
} from '../../../src-shared/domain/position/protection.ts';
import type { Position } from '../../../src-shared/exchange-api/account.ts';
import { plainNumber } from '../../text/number-text.ts';
import type { ShownText, StyledPiece } from '../../text/shown-text.ts';

const EXTENT: Readonly<Record<'part' | 'more' | 'unknown', string>> = {
  part: 'part',
  more: 'too many',
  unknown: '?',
};

export function protectionText(position: Position): ShownText {
  const protection = protectionOf(position);
  const { orders, unread } = protection;
  if (unread === null)
    return {
      pieces: ['not known'],
      look: 'warn',
      title: 'How many take-profit and stop-loss orders there are cannot be read: see the expanded row',
    };
  if (orders.length === 0 && unread === 0)
    return { pieces: ['—'], look: 't3', title: 'No take profit and no stop loss on this position' };
  if (orders.length === 0)
    return {
      pieces: [`${unread} unread`],
      look: 'warn',
      title: 'The exchange lists orders here whose fields Ballast cannot read: see the expanded row',
    };
  const pieces: (string | StyledPiece)[] = [];
  for (const kind of ['TP', 'SL'] as const)
    pieces.push(...sideOf(position, protection, kind, pieces.length > 0));
  return {
    pieces,
    look: '',
    title: `${orders.length} orders: take profit ${words(position, protection, 'TP')}, stop loss ${words(position, protection, 'SL')}`,
  };
}

function sideOf(
  position: Position,
  protection: Protection,
  kind: 'TP' | 'SL',
  second: boolean,
): (string | StyledPiece)[] {
  const trigger = firstTrigger(position, protection, kind);
  const { extent } = coveredBy(position, protection, kind);
  const lead: StyledPiece = { text: second ? ' / ' : '', look: 't3' };
  if (trigger === null) return [lead, { text: '—', look: 't3' }];
  const price: StyledPiece = { text: plainNumber(trigger), look: kind === 'TP' ? 'up' : 'dn' };
  if (extent === 'all' || extent === 'none') return [lead, price];
  return [lead, price, { text: ` ${EXTENT[extent]}`, look: 'warn' }];
}

function words(position: Position, protection: Protection, kind: 'TP' | 'SL'): string {
  const trigger = firstTrigger(position, protection, kind);
  if (trigger === null) return 'none';
  const { extent, quantity } = coveredBy(position, protection, kind);
  const much = extent === 'unknown' ? 'an unknown part' : extent === 'all' ? 'all' : (quantity ?? '?');
  return `at ${plainNumber(trigger)} for ${much} of ${position.quantity ?? 'a size not known'}`;
}
