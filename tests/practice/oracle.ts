/**
 * Margin and liquidation worked out anew, to check the engine against: from the contract's terms as texts, in whole
 * numbers of a fine grid, scanning tick by tick. It calls nothing of `src-shared/domain`, of `margin.ts` or of
 * `assets.ts`, so that a fault would have to be made twice.
 */
import type { Contract } from '../../src-practice/engine/contracts.ts';
import type { Position, TierConvention, World } from '../../src-practice/engine/world.ts';

const PLACES = 16;
const FINE = 10n ** BigInt(PLACES);
const ATOM = 10n ** 8n;

/** A scan asks for the same few texts thousands of times. */
const read = new Map<string, bigint>();

/** Decimal text in 1e-16. */
function fine(text: string): bigint {
  const known = read.get(text);
  if (known !== undefined) return known;
  const [whole = '', part = ''] = text.split('.');
  const value = BigInt(whole + part.padEnd(PLACES, '0'));
  read.set(text, value);
  return value;
}

const upToAtom = (value: bigint): bigint => (value + FINE - 1n) / FINE;

/** Atoms: linear price × quantity, exact; inverse quantity / price, floored. */
export function oracleValue({ contractSide, tick, lot }: Contract, lots: number, ticks: number): bigint {
  const price = BigInt(ticks) * fine(tick);
  const quantity = BigInt(lots) * fine(lot);
  return contractSide === 'FORWARD' ? (price * quantity * ATOM) / FINE / FINE : (quantity * ATOM) / price;
}

/** Maintenance margin in atoms, rounded up once. Marginal: each tier's part by that tier's rate. */
export function oracleMaintenance(contract: Contract, worth: bigint, convention: TierConvention): bigint {
  let due = 0n;
  let floor = 0n;
  for (const [i, { cap, rate }] of contract.tiers.entries()) {
    const last = i === contract.tiers.length - 1;
    const top = (fine(cap) * ATOM) / FINE;
    if (worth > floor && convention === 'flat') due = worth * fine(rate);
    if (worth > floor && convention === 'marginal') {
      due += ((worth < top || last ? worth : top) - floor) * fine(rate);
    }
    floor = top;
  }
  return upToAtom(due);
}

export const oracleFee = (contract: Contract, worth: bigint): bigint =>
  upToAtom(worth * fine(contract.takerRate));

/** A sum in parts of an atom that no whole number holds: an inverse value is quantity / price. */
interface Exact {
  readonly n: bigint;
  readonly d: bigint;
}

const plus = (a: Exact, b: Exact): Exact => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });

/** Gain less maintenance and fee, unrounded; on a tier's border as just beyond it. */
function exactStanding(position: Position, ticks: number, convention: TierConvention): Exact {
  const { contract, lots, cost } = position;
  const price = BigInt(ticks) * fine(contract.tick);
  const quantity = BigInt(lots) * fine(contract.lot);
  const worth: Exact =
    contract.contractSide === 'FORWARD'
      ? { n: price * quantity * ATOM, d: FINE * FINE }
      : { n: quantity * ATOM, d: price };
  let rate = 0n;
  let sunk = 0n;
  let floor = 0n;
  for (const tier of contract.tiers) {
    if (worth.n < floor * worth.d) break;
    // What lies below a tier is asked its own, lower rate.
    if (convention === 'marginal') sunk += floor * (fine(tier.rate) - rate);
    rate = fine(tier.rate);
    floor = (fine(tier.cap) * ATOM) / FINE;
  }
  const kept = gainSign(position) * FINE - rate - fine(contract.takerRate);
  return plus({ n: worth.n * kept, d: worth.d }, { n: sunk - gainSign(position) * cost * FINE, d: 1n });
}

const gainSign = ({ contract, side }: Position): bigint =>
  BigInt(side) * (contract.contractSide === 'FORWARD' ? 1n : -1n);

/** What a position needs, and what it has gained, with its contract at `ticks`. */
function standing(position: Position, ticks: number, convention: TierConvention) {
  const { contract, lots, cost } = position;
  const worth = oracleValue(contract, lots, ticks);
  return {
    worth,
    gain: (worth - cost) * gainSign(position),
    needs: oracleMaintenance(contract, worth, convention) + oracleFee(contract, worth),
  };
}

export interface Situation {
  readonly convention: TierConvention;
  /** The account's balance of one coin, in atoms. */
  balance: bigint;
  positions: readonly Position[];
  readonly markOf: (contract: Contract) => number;
}

/** As the world stands, for one coin. Locks of isolated orders are left out: the tests have none. */
export const situationOf = (world: World, coin: string, balance: bigint): Situation => ({
  convention: world.convention,
  balance,
  positions: world.account.positions.filter(({ contract }) => contract.coin === coin),
  markOf: (contract) => world.bySymbol.get(contract.symbolId)?.mark ?? 0,
});

/** Equity and requirement of the cross positions at their marks, as they are booked. */
function crossSums({ convention, balance, positions, markOf }: Situation) {
  let equity = balance;
  let needs = 0n;
  for (const position of positions) {
    if (position.marginMode === 'ISOLATED') {
      equity -= position.margin;
      continue;
    }
    const at = standing(position, markOf(position.contract), convention);
    equity += at.gain;
    needs += at.needs;
  }
  return { equity, needs };
}

/** Whether the cross positions' equity is used up by what they need, `moved` at `ticks` and the others at their marks. */
function crossBroken(
  { convention, balance, positions, markOf }: Situation,
  moved?: Contract,
  ticks = 0,
): boolean {
  let spare: Exact = { n: balance * FINE, d: 1n };
  let any = false;
  for (const position of positions) {
    const { contract, marginMode, margin } = position;
    const at = contract === moved ? ticks : markOf(contract);
    if (marginMode === 'CROSSED') any = true;
    spare = plus(
      spare,
      marginMode === 'ISOLATED' ? { n: -margin * FINE, d: 1n } : exactStanding(position, at, convention),
    );
  }
  return any && spare.n <= 0n;
}

/** What stands behind the cross positions. */
export const oracleEquity = (situation: Situation): bigint => crossSums(situation).equity;

export function oracleBroken(situation: Situation, position: Position, ticks: number): boolean {
  if (position.marginMode === 'CROSSED') return crossBroken(situation, position.contract, ticks);
  const { n, d } = exactStanding(position, ticks, situation.convention);
  return position.margin * FINE * d + n <= 0n;
}

/** The first tick from `start` on the adverse way at which it is broken; `null` within `most` ticks or at none. */
export function oracleLiquidation(
  situation: Situation,
  position: Position,
  start: number,
  most: number,
): number | null {
  for (let ticks = start; ticks >= 1 && Math.abs(ticks - start) <= most; ticks -= position.side) {
    if (oracleBroken(situation, position, ticks)) return ticks;
  }
  return null;
}

/** A taken-over position: where, and what it leaves of the balance. */
export interface TakenOver {
  readonly symbolId: string;
  readonly side: number;
  readonly lots: number;
  readonly ticks: number;
  readonly fee: bigint;
}

/** Loss from the mark on and closing fee, as they are booked: at most `give`? */
function affordable(position: Position, worth: bigint, ticks: number, give: bigint): boolean {
  const value = oracleValue(position.contract, position.lots, ticks);
  return (worth - value) * gainSign(position) + oracleFee(position.contract, value) <= give;
}

/** The worst tick for the account whose cost stays within `give`, walking from the mark, in ever shorter strides. */
function takeOverTick(position: Position, worth: bigint, mark: number, give: bigint): number {
  const fits = (ticks: number): boolean => ticks >= 1 && affordable(position, worth, ticks, give);
  let ticks = mark;
  for (const stride of [65_536, 256, 1]) {
    while (!fits(ticks) && ticks > 1) ticks = Math.max(1, ticks + position.side * stride);
    while (fits(ticks - position.side * stride)) ticks -= position.side * stride;
  }
  return ticks;
}

function take(situation: Situation, position: Position, give: bigint): TakenOver {
  const { contract, side, lots, cost } = position;
  const mark = situation.markOf(contract);
  const ticks = takeOverTick(position, oracleValue(contract, lots, mark), mark, give);
  const worth = oracleValue(contract, lots, ticks);
  const fee = oracleFee(contract, worth);
  situation.balance += (worth - cost) * gainSign(position) - fee;
  situation.positions = situation.positions.filter((held) => held !== position);
  return { symbolId: contract.symbolId, side: -side, lots, ticks, fee };
}

/** From the mark on: at the price where the value is nothing, or at the first tick, where an inverse one is largest. */
function mostGain(position: Position, mark: number): bigint {
  const { contract, lots } = position;
  const worth = oracleValue(contract, lots, mark);
  if (gainSign(position) === -1n) return worth;
  const most = oracleValue(contract, lots, 1);
  return most - oracleFee(contract, most) - worth;
}

/**
 * The stated sequence: broken isolated positions in the account's order, each giving what it has; then, while the
 * cross positions are broken, the one with the largest requirement, giving its share of the equity (floored).
 */
export function oracleSequence(situation: Situation): TakenOver[] {
  const taken: TakenOver[] = [];
  const { convention, markOf } = situation;
  for (const position of situation.positions) {
    if (position.marginMode === 'CROSSED') continue;
    const mark = markOf(position.contract);
    if (!oracleBroken(situation, position, mark)) continue;
    taken.push(take(situation, position, position.margin + standing(position, mark, convention).gain));
  }
  for (;;) {
    const cross = situation.positions.filter(({ marginMode }) => marginMode === 'CROSSED');
    if (!crossBroken(situation)) return taken;
    const { equity, needs } = crossSums(situation);
    const due = (position: Position): bigint =>
      standing(position, markOf(position.contract), convention).needs;
    const largest = cross.reduce((found, position) => (due(position) > due(found) ? position : found));
    if (equity >= 0n) {
      taken.push(take(situation, largest, (equity * due(largest)) / needs));
      continue;
    }
    // A shortfall: carried by those a price can make up for it, else by all, by the most they could gain.
    const able = cross.filter(
      (position) => gainSign(position) === 1n && position.contract.contractSide === 'FORWARD',
    );
    const weight =
      able.length > 0 ? due : (position: Position) => mostGain(position, markOf(position.contract));
    const carriers = able.length > 0 ? able : cross;
    const all = carriers.reduce((sum, position) => sum + weight(position), 0n);
    const owed = carriers.includes(largest) ? -equity * weight(largest) : 0n;
    taken.push(take(situation, largest, -((owed + all - 1n) / all)));
  }
}
