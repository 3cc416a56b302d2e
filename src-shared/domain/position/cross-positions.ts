/** The cross positions of a coin, which share its wallet (docs/accounting.md, "Cross positions"). */
import { add, type Amount, print, subtract } from '../../amount.ts';
import type { Asset, Position } from '../../exchange-api/account.ts';
import { isIsolated } from '../../exchange-api/enums.ts';
import { coinsOf } from '../instrument/currencies.ts';
import { isHeld } from '../../exchange-api/values.ts';
import { unknownMode } from '../instrument/trading-context.ts';
import { crossLiquidation, type CrossPosition } from '../margin/liquidation.ts';
import type { Convention } from '../margin/margin.ts';
import { givenAmount } from '../numeric/decimal-input.ts';
import { markOf } from './metrics.ts';
import { type Requirement, requirementAt, totalOf } from './requirement.ts';
import { crossPosition, type KnownPosition, knownPosition, type Records } from './resolved.ts';

/** A position with the price it is valued at. */
export interface Member {
  readonly known: KnownPosition;
  readonly mark: string;
}

/**
 * Reports whether a position may be a cross position of the coin. An unknown contract may be of any coin, and an unknown
 * margin mode may be cross.
 */
export function mayShareWallet(
  coin: string,
  position: Pick<Position, 'symbolId' | 'marginMode' | 'quantity'>,
  { contractOf }: Pick<Records, 'contractOf'>,
): boolean {
  const config = contractOf(position.symbolId);
  return (
    !isIsolated(position) && isHeld(position) && (config === undefined || coinsOf(config).margin === coin)
  );
}

/**
 * Returns those of `positions` that are cross positions of the coin, or why one of them cannot be counted. `markAt`
 * returns the price a position is valued at, null if there is none.
 */
export function crossOf(
  coin: string,
  positions: readonly Position[],
  records: Records,
  markAt: (known: KnownPosition) => string | null = ({ position }) => markOf(position),
): readonly Member[] | string {
  const members: Member[] = [];
  for (const position of positions) {
    const { symbolId } = position;
    if (!mayShareWallet(coin, position, records)) continue;
    const known = knownPosition(position, records);
    if (typeof known === 'string') return known;
    if (known.cross === null) return unknownMode(symbolId);
    const mark = markAt(known);
    if (mark === null) return `${symbolId} has no mark price.`;
    members.push({ known, mark });
  }
  return members;
}

/** A coin's cross positions while the price of one contract moves, or of none, and all others stay at their marks. */
export class CrossPositions {
  readonly #moving: readonly Member[];
  readonly #rest: Requirement;
  readonly #convention: Convention;

  private constructor(moving: readonly Member[], rest: Requirement, convention: Convention) {
    this.#moving = moving;
    this.#rest = rest;
    this.#convention = convention;
  }

  /** Sums up what stays, once. Throws DomainError. */
  static of(members: readonly Member[], moving: string | null, convention: Convention): CrossPositions {
    const isMoving = ({ known }: Member): boolean => known.config.symbolId === moving;
    const rest = members.filter((one) => !isMoving(one));
    return new CrossPositions(
      members.filter(isMoving),
      totalOf(rest.map(({ known, mark }) => requirementAt(known, mark, convention))),
      convention,
    );
  }

  /** Returns those beside one of them, with whose price its hedge's other leg moves. Throws DomainError. */
  static beside(own: KnownPosition, members: readonly Member[], convention: Convention): CrossPositions {
    return CrossPositions.of(members, own.config.symbolId, convention).without([own.position]);
  }

  /** Returns these without some of the moving positions. */
  without(gone: readonly Position[]): CrossPositions {
    const moving = this.#moving.filter(({ known }) => !gone.includes(known.position));
    return new CrossPositions(moving, this.#rest, this.#convention);
  }

  /** Returns unrealised PnL and requirement of all, the moving ones at `price`. Throws DomainError. */
  at(price: string): Requirement {
    const moved = this.#moving.map(({ known }) => requirementAt(known, price, this.#convention));
    return totalOf([this.#rest, ...moved]);
  }

  /**
   * Returns the liquidation prices of positions assumed beside these; null where no price liquidates. Throws
   * DomainError.
   */
  liquidationPrices(wallet: Amount, own: readonly CrossPosition[]): readonly (string | null)[] {
    const moving = this.#moving.map(({ known, mark }) => crossPosition(known, mark, this.#convention));
    // The others are constant, so all of them are one number.
    const excess = subtract(this.#rest.gain, this.#rest.due);
    return crossLiquidation({
      walletBalance: print(add(wallet, excess)),
      positions: [...own, ...moving],
      feeRate: '0',
    });
  }
}

/** Returns balance − isolatedMargin − isolatedLocked, signed. Throws DomainError. */
export const walletOf = (asset: Asset): Amount =>
  subtract(
    subtract(givenAmount(asset, 'balance'), givenAmount(asset, 'isolatedMargin')),
    givenAmount(asset, 'isolatedLocked'),
  );
