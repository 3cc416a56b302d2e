/**
 * Computes liquidation and bankruptcy prices: the first price in the adverse direction at which equity ≤ maintenance
 * margin + closing fee, both at that price (docs/accounting.md). Amounts are decimal texts; invalid input throws
 * DomainError with the field.
 */
import { add, type Amount, divide, equal, isPositive, multiply, ONE, subtract, sum } from '../../amount.ts';
import { type Fraction, fraction, printFraction } from '../numeric/fraction.ts';
import { decimal, DomainError, positive } from '../numeric/decimal-input.ts';
import { adverse, type Exposure, legOf, priceAt, toX } from './leg.ts';
import { firstReached, type Leg } from './solver.ts';
import { rowAt, tierIndex } from './tiers.ts';
import type { ContractSide, OrderSide } from '../../exchange-api/enums.ts';

/**
 * Returns the liquidation price of an isolated position with `margin` posted, searched from its entry; null if no
 * positive finite price liquidates it. `feeRate` is the closing fee as a share of the value there. Source:
 * docs/accounting.md, "Liquidation price".
 */
export function isolatedLiquidation(
  input: Exposure & { readonly margin: string; readonly feeRate: string },
): string | null {
  const leg = legOf(input, decimal('feeRate', input.feeRate));
  const x = firstReached([leg], decimal('margin', input.margin), leg.entry, adverse(leg));
  return priceAt(input.contractSide, x);
}

export interface CrossPosition extends Exposure {
  /** Positions with equal ids (hedge legs) move together; one without an id moves alone. */
  readonly symbolId?: string | undefined;
  readonly markPrice: string;
  /** Closing fee of this position; defaults to the account's. */
  readonly feeRate?: string | undefined;
}

interface Member {
  readonly position: CrossPosition;
  readonly leg: Leg;
  readonly mark: Fraction;
  /** Unrealised PnL − maintenance margin − closing fee at the mark. */
  readonly excess: Amount;
}

/**
 * Returns each cross position's liquidation price, in order: its symbol moves against the leg, other symbols stay at
 * their marks. `walletBalance` = balance − isolatedMargin − isolatedLocked, signed. Null if never reached, as often for
 * one of two hedge legs. Source: docs/accounting.md, "Cross positions".
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
    sum(members.map((member) => member.excess)),
  );
  const groups = groupsOf(members);
  const firstOf = (member: Member): Fraction | null => {
    const group = groups.get(member.position.symbolId) ?? [member];
    // The part that is constant while this symbol moves: one subtraction instead of a sum over the account.
    const constant = subtract(excess, sum(group.map(({ excess }) => excess)));
    const legs = group.map(({ leg }) => leg);
    return firstReached(legs, constant, member.mark, adverse(member.leg));
  };
  /** Legs of one symbol at one mark that the same direction harms have one answer: many would take minutes. */
  const found = new Map<string, Fraction | null>();
  return members.map((member) => {
    const { symbolId, contractSide, markPrice } = member.position;
    if (symbolId === undefined) return priceAt(contractSide, firstOf(member));
    const key = `${adverse(member.leg)} ${markPrice} ${symbolId}`;
    let first = found.get(key);
    if (first === undefined) {
      first = firstOf(member);
      found.set(key, first);
    }
    return priceAt(contractSide, first);
  });
}

function memberOf(position: CrossPosition, accountFee: Amount): Member {
  const feeRate = position.feeRate === undefined ? accountFee : decimal('feeRate', position.feeRate);
  const leg = legOf(position, feeRate);
  const mark = toX(position.contractSide, positive('markPrice', position.markPrice));
  return { position, leg, mark, excess: excessAt(leg, mark) };
}

function excessAt(leg: Leg, { numerator: x, denominator }: Fraction): Amount {
  const value = multiply(leg.quantity, x);
  const row = rowAt(leg.table, tierIndex(leg.table, fraction(value, denominator)));
  // With a common denominator an inverse position is divided once; a linear one's is 1.
  const here = multiply(value, leg.entry.denominator);
  const entry = multiply(multiply(leg.quantity, leg.entry.numerator), denominator);
  const gain = leg.sign === 1 ? subtract(here, entry) : subtract(entry, here);
  const net = subtract(gain, multiply(here, add(row.rate, leg.feeRate)));
  const parts = multiply(denominator, leg.entry.denominator);
  const excess = equal(parts, ONE) ? net : divide(net, parts);
  return leg.convention === 'flat' ? excess : add(excess, row.deduction);
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
 * Returns the price at which the initial margin is used up, without fees; null if none is positive and finite (linear
 * long or inverse short at leverage 1). Linear: entry × (1 ∓ 1/leverage). Inverse: entry × leverage / (leverage ± 1).
 * Source: kucoin help, "how to calculate contract bankruptcy price"; inverse from pnl.ts.
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
