/**
 * An independent oracle of margin and liquidation: from the contract's terms as texts, in integers of a fine grid,
 * scanning tick by tick. It calls nothing of `src-shared/domain`, `margin.ts` or `assets.ts`, so that a bug would
 * have to be made twice.
 */
import type { Contract } from '../../src-practice/engine/contracts.ts';
import type { Position, TierConvention, World } from '../../src-practice/engine/world.ts';

const PLACES = 16;
const FINE = 10n ** BigInt(PLACES);
const ATOM = 10n ** 8n;

/** Cached, since a scan parses the same few texts thousands of times. */
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
export function oracleMaintenance(contract: Contract, value: bigint, convention: TierConvention): bigint {
  let due = 0n;
  let floor = 0n;
  for (const [i, { cap, rate }] of contract.tiers.entries()) {
    const last = i === contract.tiers.length - 1;
    const top = (fine(cap) * ATOM) / FINE;
    if (value > floor && convention === 'flat') due = value * fine(rate);
    if (value > floor && convention === 'marginal') {
      due += ((value < top || last ? value : top) - floor) * fine(rate);
    }
    floor = top;
  }
  return upToAtom(due);
}

export const oracleFee = (contract: Contract, value: bigint): bigint =>
  upToAtom(value * fine(contract.takerRate));

/** A sum in fractions of an atom: an inverse value is quantity / price. */
interface Exact {
  readonly n: bigint;
  readonly d: bigint;
}

const plus = (a: Exact, b: Exact): Exact => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });

/** Gain minus maintenance and closing fee, unrounded. A value on a tier's border takes the next tier's rate. */
function exactExcess(position: Position, ticks: number, convention: TierConvention): Exact {
  const { contract, lots, cost } = position;
  const price = BigInt(ticks) * fine(contract.tick);
  const quantity = BigInt(lots) * fine(contract.lot);
  const value: Exact =
    contract.contractSide === 'FORWARD'
      ? { n: price * quantity * ATOM, d: FINE * FINE }
      : { n: quantity * ATOM, d: price };
  let rate = 0n;
  let sunk = 0n;
  let floor = 0n;
  for (const tier of contract.tiers) {
    if (value.n < floor * value.d) break;
    // The part of the value below a tier has its own, lower rate.
    if (convention === 'marginal') sunk += floor * (fine(tier.rate) - rate);
    rate = fine(tier.rate);
    floor = (fine(tier.cap) * ATOM) / FINE;
  }
  const kept = gainSign(position) * FINE - rate - fine(contract.takerRate);
  return plus({ n: value.n * kept, d: value.d }, { n: sunk - gainSign(position) * cost * FINE, d: 1n });
}

const gainSign = ({ contract, side }: Position): bigint =>
  BigInt(side) * (contract.contractSide === 'FORWARD' ? 1n : -1n);

/** A position's gain and requirement (maintenance and closing fee) with its contract at `ticks`. */
function figuresAt(position: Position, ticks: number, convention: TierConvention) {
  const { contract, lots, cost } = position;
  const value = oracleValue(contract, lots, ticks);
  return {
    value,
    gain: (value - cost) * gainSign(position),
    needs: oracleMaintenance(contract, value, convention) + oracleFee(contract, value),
  };
}

export interface Situation {
  readonly convention: TierConvention;
  /** The account's balance of one coin, in atoms. */
  balance: bigint;
  positions: readonly Position[];
  readonly markOf: (contract: Contract) => number;
}

/** One coin of the world. Locks of isolated orders are left out: the tests have none. */
export const situationOf = (world: World, coin: string, balance: bigint): Situation => ({
  convention: world.convention,
  balance,
  positions: world.account.positions.filter(({ contract }) => contract.coin === coin),
  markOf: (contract) => world.bySymbol.get(contract.symbolId)?.mark ?? 0,
});

/** Equity and requirement of the cross positions at their marks, as booked. */
function crossSums({ convention, balance, positions, markOf }: Situation) {
  let equity = balance;
  let needs = 0n;
  for (const position of positions) {
    if (position.marginMode === 'ISOLATED') {
      equity -= position.margin;
      continue;
    }
    const at = figuresAt(position, markOf(position.contract), convention);
    equity += at.gain;
    needs += at.needs;
  }
  return { equity, needs };
}

/** Reports whether the cross requirement exceeds the equity with `moved` at `ticks` and the others at their marks. */
function crossIsDue(
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
      marginMode === 'ISOLATED' ? { n: -margin * FINE, d: 1n } : exactExcess(position, at, convention),
    );
  }
  return any && spare.n <= 0n;
}

/** The equity that covers the cross positions. */
export const oracleEquity = (situation: Situation): bigint => crossSums(situation).equity;

export function oracleIsDue(situation: Situation, position: Position, ticks: number): boolean {
  if (position.marginMode === 'CROSSED') return crossIsDue(situation, position.contract, ticks);
  const { n, d } = exactExcess(position, ticks, situation.convention);
  return position.margin * FINE * d + n <= 0n;
}

/** The first tick from `start`, moving against the position, at which it is due; `null` if none of `most` is. */
export function oracleLiquidation(
  situation: Situation,
  position: Position,
  start: number,
  most: number,
): number | null {
  for (let ticks = start; ticks >= 1 && Math.abs(ticks - start) <= most; ticks -= position.side) {
    if (oracleIsDue(situation, position, ticks)) return ticks;
  }
  return null;
}

/** A position taken over: the price, and the balance left. */
export interface TakenOver {
  readonly symbolId: string;
  readonly side: number;
  readonly lots: number;
  readonly ticks: number;
  readonly fee: bigint;
}

/** Reports whether the booked loss from the mark plus the closing fee is at most `equity`. */
function affordable(position: Position, valueAtMark: bigint, ticks: number, equity: bigint): boolean {
  const value = oracleValue(position.contract, position.lots, ticks);
  return (valueAtMark - value) * gainSign(position) + oracleFee(position.contract, value) <= equity;
}

/** The worst tick for the account that costs at most `equity`, searched from the mark in decreasing steps. */
function takeoverTick(position: Position, valueAtMark: bigint, mark: number, equity: bigint): number {
  const fits = (ticks: number): boolean => ticks >= 1 && affordable(position, valueAtMark, ticks, equity);
  let ticks = mark;
  for (const stride of [65_536, 256, 1]) {
    while (!fits(ticks) && ticks > 1) ticks = Math.max(1, ticks + position.side * stride);
    while (fits(ticks - position.side * stride)) ticks -= position.side * stride;
  }
  return ticks;
}

function take(situation: Situation, position: Position, equity: bigint): TakenOver {
  const { contract, side, lots, cost } = position;
  const mark = situation.markOf(contract);
  const ticks = takeoverTick(position, oracleValue(contract, lots, mark), mark, equity);
  const value = oracleValue(contract, lots, ticks);
  const fee = oracleFee(contract, value);
  situation.balance += (value - cost) * gainSign(position) - fee;
  situation.positions = situation.positions.filter((held) => held !== position);
  return { symbolId: contract.symbolId, side: -side, lots, ticks, fee };
}

/** The largest gain from the mark: at value zero, or at the first tick, where an inverse value is largest. */
function mostGain(position: Position, mark: number): bigint {
  const { contract, lots } = position;
  const value = oracleValue(contract, lots, mark);
  if (gainSign(position) === -1n) return value;
  const most = oracleValue(contract, lots, 1);
  return most - oracleFee(contract, most) - value;
}

/**
 * The documented sequence: isolated positions that are due, in the account's order, each for its equity; then, while
 * cross positions are due, the one with the largest requirement, for its share of the equity (floored).
 */
export function oracleSequence(situation: Situation): TakenOver[] {
  const taken: TakenOver[] = [];
  const { convention, markOf } = situation;
  for (const position of situation.positions) {
    if (position.marginMode === 'CROSSED') continue;
    const mark = markOf(position.contract);
    if (!oracleIsDue(situation, position, mark)) continue;
    taken.push(take(situation, position, position.margin + figuresAt(position, mark, convention).gain));
  }
  for (;;) {
    const cross = situation.positions.filter(({ marginMode }) => marginMode === 'CROSSED');
    if (!crossIsDue(situation)) return taken;
    const { equity, needs } = crossSums(situation);
    const due = (position: Position): bigint =>
      figuresAt(position, markOf(position.contract), convention).needs;
    const largest = cross.reduce((found, position) => (due(position) > due(found) ? position : found));
    if (equity >= 0n) {
      taken.push(take(situation, largest, (equity * due(largest)) / needs));
      continue;
    }
    // A shortfall is borne by the positions with unlimited gain, else by all, by the most each could gain.
    const able = cross.filter(
      (position) => gainSign(position) === 1n && position.contract.contractSide === 'FORWARD',
    );
    const weight =
      able.length > 0 ? due : (position: Position) => mostGain(position, markOf(position.contract));
    const bearers = able.length > 0 ? able : cross;
    const all = bearers.reduce((sum, position) => sum + weight(position), 0n);
    const owed = bearers.includes(largest) ? -equity * weight(largest) : 0n;
    taken.push(take(situation, largest, -((owed + all - 1n) / all)));
  }
}
