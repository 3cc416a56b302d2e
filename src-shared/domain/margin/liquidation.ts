/**
 * Liquidation and bankruptcy prices. The rule is docs/accounting.md's: the first price reached moving adversely
 * from the start at which equity ≤ maintenance margin + closing fee, both taken at that price. Amounts are
 * decimal texts in and out; malformed input throws DomainError, which names the field.
 */
import { add, type Amount, divide, equal, isPositive, multiply, ONE, subtract, sum } from '../../amount.ts';
import { type Fraction, fraction, printFraction } from '../numeric/fraction.ts';
import { decimal, DomainError, positive } from '../numeric/decimal-input.ts';
import { adverse, type Exposure, legOf, priceAt, toX } from './leg.ts';
import { firstReached, type Leg } from './solver.ts';
import type { ContractSide, OrderSide } from './margin.ts';
import { rowAt, tierIndex } from './tiers.ts';

/**
 * Liquidation price of an isolated position with `margin` posted (its margin coin), from its entry: a long's
 * lies at or below, a short's at or above. `feeRate` is the closing fee as a share of the value at the price
 * found. `null` when no price above 0 (or no finite one) liquidates it.
 * Source: docs/accounting.md, "Liquidation price".
 */
export function isolatedLiquidation(
  input: Exposure & { readonly margin: string; readonly feeRate: string },
): string | null {
  const leg = legOf(input, decimal('feeRate', input.feeRate));
  const x = firstReached([leg], decimal('margin', input.margin), leg.entry, adverse(leg));
  return priceAt(input.contractSide, x);
}

export interface CrossPosition extends Exposure {
  /** Positions with equal ids (hedge legs) move together; one without an id stands alone. */
  readonly symbolId?: string | undefined;
  readonly markPrice: string;
  /** Closing fee of this position; without it the account's. */
  readonly feeRate?: string | undefined;
}

interface Member {
  readonly position: CrossPosition;
  readonly leg: Leg;
  readonly mark: Fraction;
  /** Unrealised profit − maintenance − closing fee at the mark. */
  readonly standing: Amount;
}

/**
 * Liquidation price of each cross position of one coin, in the order given: its symbol's price moves from the
 * mark against this leg (a long's down, a short's up), all legs of the symbol with it, the other symbols at
 * their marks. `walletBalance` = balance − isolatedMargin − isolatedLocked, signed, in the margin coin.
 * `null` where that leg's adverse way never meets the condition: with hedge legs often one of the two.
 * Source: docs/accounting.md, "Cross positions".
 */
export function crossLiquidation(input: {
  readonly walletBalance: string;
  readonly positions: readonly CrossPosition[];
  readonly feeRate: string;
}): (string | null)[] {
  const accountFee = decimal('feeRate', input.feeRate);
  const members = input.positions.map((position) => memberOf(position, accountFee));
  const excess = add(
    decimal('walletBalance', input.walletBalance),
    sum(members.map((member) => member.standing)),
  );
  const groups = groupsOf(members);
  return members.map((member) => {
    const group = groups.get(member.position.symbolId) ?? [member];
    // What stays put while this symbol moves: one subtraction, not a sum over the account for each position.
    const constant = subtract(excess, sum(group.map(({ standing }) => standing)));
    const legs = group.map(({ leg }) => leg);
    return priceAt(
      member.position.contractSide,
      firstReached(legs, constant, member.mark, adverse(member.leg)),
    );
  });
}

function memberOf(position: CrossPosition, accountFee: Amount): Member {
  const feeRate = position.feeRate === undefined ? accountFee : decimal('feeRate', position.feeRate);
  const leg = legOf(position, feeRate);
  const mark = toX(position.contractSide, positive('markPrice', position.markPrice));
  return { position, leg, mark, standing: standingAt(leg, mark) };
}

function standingAt(leg: Leg, { numerator: x, denominator }: Fraction): Amount {
  const value = multiply(leg.quantity, x);
  const row = rowAt(leg.table, tierIndex(leg.table, fraction(value, denominator)));
  // All over one denominator, so that an inverse position is divided once; a linear one's is 1.
  const here = multiply(value, leg.entry.denominator);
  const entry = multiply(multiply(leg.quantity, leg.entry.numerator), denominator);
  const gain = leg.sign === 1 ? subtract(here, entry) : subtract(entry, here);
  const net = subtract(gain, multiply(here, add(row.rate, leg.feeRate)));
  const parts = multiply(denominator, leg.entry.denominator);
  const standing = equal(parts, ONE) ? net : divide(net, parts);
  return leg.convention === 'flat' ? standing : add(standing, row.deduction);
}

function groupsOf(members: readonly Member[]): Map<string | undefined, Member[]> {
  const groups = new Map<string | undefined, Member[]>();
  for (const member of members) {
    const { symbolId, contractSide } = member.position;
    if (symbolId === undefined) continue;
    const group = groups.get(symbolId);
    if (!group) {
      groups.set(symbolId, [member]);
      continue;
    }
    if (group.some(({ position }) => position.contractSide !== contractSide)) {
      throw new DomainError('symbolId', symbolId, 'has both linear and inverse positions');
    }
    group.push(member);
  }
  return groups;
}

/**
 * Price at which the posted initial margin (value at entry / leverage) is used up, fees apart; `null` where
 * that is no price above 0 (a linear long of leverage 1) or no finite one (an inverse short of leverage 1).
 * Linear: entry × (1 ∓ 1/leverage). Inverse: entry × leverage / (leverage ± 1).
 * Source: kucoin help, "how to calculate contract bankruptcy price"; inverse from the profit of pnl.ts.
 */
export function bankruptcy(input: {
  contractSide: ContractSide;
  side: OrderSide;
  entryPrice: string;
  leverage: string;
}): string | null {
  const entry = positive('entryPrice', input.entryPrice);
  const leverage = positive('leverage', input.leverage);
  const linear = input.contractSide === 'FORWARD';
  const moved = linear === (input.side === 'BUY') ? subtract(leverage, ONE) : add(leverage, ONE);
  if (!isPositive(moved)) return null;
  return printFraction(
    linear ? fraction(multiply(entry, moved), leverage) : fraction(multiply(entry, leverage), moved),
  );
}
