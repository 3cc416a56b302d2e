/**
 * Take-profit and stop-loss checks of an order, codes as rows. "Must be" texts state the requirement, "above/below"
 * texts the error (docs/accounting.md). A LIMIT is compared with its own price, a MARKET with the price that
 * triggers it: the mark for MARK_PRICE, else the last trade.
 */
import { parseTicks, valueOf } from './contracts.ts';
import type { Draft } from './draft.ts';
import { AVERAGE_PLACES, entryUnits, liquidationTicks } from './liquid-price.ts';
import { initialMargin } from './margin.ts';
import { type LegKind, legOf, LEGS } from './orders.ts';
import type { Rejection } from './request.ts';
import { targetOf, UNTOUCHED } from './settle.ts';
import type { Position, World } from './world.ts';

export const TRIGGERS = ['LAST_PRICE', 'MARK_PRICE'] as const;

interface Leg {
  readonly kind: LegKind;
  readonly byMark: boolean;
  readonly trigger: number;
  /** `null` executes at the market. */
  readonly execute: number | null;
}

type Basis = 'order' | 'last' | 'mark';

/** `[trigger code, execution code]` by kind, side of the position and the price it is compared with. */
const CODES: Readonly<Record<`${LegKind} ${'long' | 'short'} ${Basis}`, readonly [string, string]>> = {
  'tp long order': ['700068', '700089'],
  'tp short order': ['700072', '700091'],
  'sl long order': ['700070', '700093'],
  'sl short order': ['700074', '700095'],
  'tp long last': ['700069', '700096'],
  'tp short last': ['700073', '700097'],
  'sl long last': ['700071', '700098'],
  'sl short last': ['700075', '700099'],
  'tp long mark': ['700076', '700096'],
  'tp short mark': ['700077', '700097'],
  'sl long mark': ['700079', '700098'],
  'sl short mark': ['700078', '700099'],
};

const isTrigger = (text: string): boolean => TRIGGERS.some((trigger) => trigger === text);

function readLeg(
  { order }: Draft,
  kind: LegKind,
  { trigger, price, execute }: NonNullable<ReturnType<typeof legOf>>,
): Leg | Rejection {
  if (!isTrigger(trigger)) return { code: '700009', why: `${kind}TriggerType` };
  if (price === null) return { code: '700004', why: `${kind}Price is required` };
  const ticks = parseTicks(order.contract, price);
  const at = execute === null ? null : parseTicks(order.contract, execute);
  if (ticks === null || (execute !== null && at === null)) return { code: '700011', why: `${kind}Price` };
  return { kind, byMark: trigger === 'MARK_PRICE', trigger: ticks, execute: at };
}

const isRejection = (leg: Leg | Rejection): leg is Rejection => 'code' in leg;

export function tpSlRejection(world: World, each: Draft): Rejection | null {
  const { tpSl } = each.order;
  if (!tpSl) return null;
  let requested = 0;
  for (const kind of LEGS) {
    const terms = legOf(tpSl, kind);
    if (terms === null) continue;
    requested += 1;
    const leg = readLeg(each, kind, terms);
    const rejection = isRejection(leg) ? leg : legRejection(world, each, leg);
    if (rejection) return rejection;
  }
  return requested === 0 ? { code: '700042', why: 'neither take-profit nor stop-loss' } : null;
}

function legRejection(world: World, { market, order }: Draft, leg: Leg): Rejection | null {
  const basis: Basis = order.type === 'LIMIT' ? 'order' : leg.byMark ? 'mark' : 'last';
  const reference = { order: order.ticks, mark: market.mark, last: market.last }[basis];
  const side = order.side === 1 ? 'long' : 'short';
  const [triggerCode, executeCode] = CODES[`${leg.kind} ${side} ${basis}`];
  // A long takes profit above and stops below; a short the reverse.
  const wanted = (leg.kind === 'tp') === (order.side === 1) ? 1 : -1;
  const distance = wanted * (leg.trigger - reference);
  if (distance <= 0) return { code: triggerCode, why: `${leg.kind}Price` };
  if (leg.execute !== null && wanted * (leg.execute - reference) <= 0) {
    return { code: executeCode, why: `${leg.kind}ExecutePrice` };
  }
  if (distance <= Math.max(1, Math.trunc(reference / NEAREST_PART))) {
    return { code: basis === 'order' ? '700047' : '700040', why: `${leg.kind}Price is too near` };
  }
  const held = targetOf(world, order);
  const added = held && held.side === order.side ? held : null;
  const wrong = added ? beyondEntry(added, leg) : null;
  if (wrong) return { code: wrong, why: `${leg.kind}Price and the average open price` };
  return leg.kind === 'sl' ? stopBeyondLiquidation(world, order, added, leg.trigger, reference) : null;
}

/** A trigger within this part of its reference would fire at once. */
const NEAREST_PART = 5_000;

/** Texts that state the error: a take-profit at a loss, a stop at a profit. A stop at break-even is neither. */
function beyondEntry(position: Position, { kind, trigger }: Leg): string | null {
  const { contract, side } = position;
  const fine = 10n ** BigInt(AVERAGE_PLACES);
  const entry = entryUnits(position, contract.tickDecimals + AVERAGE_PLACES);
  const beyond = BigInt(side) * (BigInt(trigger) * contract.tickUnits * fine - entry);
  if (kind === 'tp') return beyond > 0n ? null : side === 1 ? '700044' : '700043';
  return beyond <= 0n ? null : side === 1 ? '700046' : '700045';
}

/**
 * Rejects a stop beyond the liquidation price, which would never fire. A new position's is estimated at `price`
 * (ticks).
 */
function stopBeyondLiquidation(
  world: World,
  order: Draft['order'],
  added: Position | null,
  trigger: number,
  price: number,
): Rejection | null {
  const liquidation = added
    ? (liquidationTicks(world).get(added) ?? 0)
    : estimatedLiquidation(world, order, price);
  if (liquidation === 0 || order.side * (trigger - liquidation) > 0) return null;
  const [long, short] = added ? ['700081', '700080'] : ['700057', '700058'];
  return { code: order.side === 1 ? long : short, why: 'slPrice beyond the liquidation price' };
}

/** The liquidation price as if the order had filled at `price` and nothing else changed. */
function estimatedLiquidation(world: World, order: Draft['order'], price: number): number {
  const { contract, side, leverage, marginMode, positionMode, totalLots, createdAt } = order;
  const cost = valueOf(contract, totalLots, price);
  const imagined: Position = {
    ...UNTOUCHED,
    contract,
    side,
    leverage,
    marginMode,
    positionMode,
    lots: totalLots,
    cost,
    margin: initialMargin(cost, leverage),
    openedAt: createdAt,
    changedAt: createdAt,
  };
  const { account } = world;
  const positions = [...account.positions, imagined];
  return liquidationTicks({ ...world, account: { ...account, positions } }).get(imagined) ?? 0;
}
