/**
 * Take-profit and stop of an open position, and what is won or lost from the mark to them. The interface does not
 * show what a position's `tpSl` holds: read only where it is a JSON object with the fields an open order's has, and
 * only as a labelled finding.
 */
import {
  absolute,
  amount,
  calculated,
  divide,
  isDecimal,
  isNegative,
  isPositive,
  multiply,
  print,
  round,
  subtract,
} from '../amount.ts';
import type { Position } from '../interface/account.ts';
import { isRecord } from '../interface/fields.ts';
import type { KnownPosition } from './known-position.ts';
import { positionValue } from './margin.ts';
import { profit } from './pnl.ts';
import { markOf } from './position-figures.ts';

export interface PositionStops {
  readonly takeProfit: string | null;
  readonly stop: string | null;
}

/** Null when the record says nothing that can be read. The execution price counts where one is set. */
export function stopsOf({ tpSl }: Position): PositionStops | null {
  if (tpSl === null || !tpSl.startsWith('{')) return null;
  let read: unknown;
  try {
    read = JSON.parse(tpSl);
  } catch {
    return null; // No documented form: text that is no JSON says nothing.
  }
  if (!isRecord(read)) return null;
  const record = read;
  const price = (...names: readonly string[]): string | null => {
    for (const name of names) {
      const value = record[name];
      if (typeof value === 'string' && isDecimal(value) && isPositive(amount(value))) return value;
    }
    return null;
  };
  const found = {
    takeProfit: price('tpExecutePrice', 'tpPrice'),
    stop: price('slExecutePrice', 'slPrice'),
  };
  return found.takeProfit === null && found.stop === null ? null : found;
}

export interface StopFigures extends PositionStops {
  /** Signed change of equity from the mark, the taker fee of the exit taken off. */
  readonly reward: string | null;
  readonly risk: string | null;
  /** reward ÷ |risk|; null unless one is a gain and the other a loss. */
  readonly ratio: string | null;
}

/** Null without readable stops or without a mark. */
export function stopFigures(known: KnownPosition): StopFigures | null {
  const stops = stopsOf(known.position);
  const mark = markOf(known.position);
  if (stops === null || mark === null) return null;
  const { contractSide, side, quantity, feeRate } = known;
  const at = (exitPrice: string | null): string | null => {
    if (exitPrice === null) return null;
    const gain = calculated(profit({ contractSide, side, quantity, entryPrice: mark, exitPrice }));
    const value = calculated(positionValue({ contractSide, quantity, price: exitPrice }));
    return print(round(subtract(gain, multiply(value, calculated(feeRate))), 18, 'half-up'));
  };
  const [reward, risk] = [at(stops.takeProfit), at(stops.stop)];
  const both =
    reward !== null && risk !== null && isPositive(calculated(reward)) && isNegative(calculated(risk));
  return {
    ...stops,
    reward,
    risk,
    ratio: both ? print(round(divide(calculated(reward), absolute(calculated(risk))), 2, 'half-up')) : null,
  };
}
