/** Adds up groups of trades or round trips exactly, and the total of each pair of coins. */
import { calculated, isPositive, isZero, print, subtract } from '../../../src-shared/amount.ts';
import { byText } from '../../../src-shared/by-text.ts';
import { contractFinder, type ContractOf } from '../../../src-shared/domain/instrument/traded-contract.ts';
import type {
  GroupContract,
  SumGroup,
  TradeSums,
  TripCount,
  TripGroup,
} from '../../../src-shared/ipc/trade-groups.ts';
import type { TradeFilter } from '../../../src-shared/ipc/trades.ts';
import type { ClosingOrder } from '../export/closing-orders.ts';
import { AssetSums, DecimalSum } from '../lib/decimal-sum.ts';
import type { Period } from './periods.ts';
import type { SummedTrips } from './plain-trips.ts';
import type { Part } from './totals.ts';
import { basisPointsOf } from '../../../src-shared/domain/numeric/quotient.ts';

export interface SumGroups {
  readonly rows: readonly SumGroup[];
  readonly totals: readonly TradeSums[];
}
const NO_TRIPS: TripCount = { counted: 0, wins: 0, losses: 0, open: 0, unknown: 0 };

/** Accumulates one group; its contracts have the same coins. */
class Sums {
  trades = 0;
  makers = 0;
  uncovered = 0;
  leftOutTrades = 0;
  leftOutOrders = 0;
  open = 0;
  trips: { -readonly [K in keyof TripCount]: number } | null = null;
  /** Whether a closed order's coin differs from its contract's. */
  otherCoin = false;
  readonly symbols = new Set<string>();
  readonly volume = new DecimalSum();
  /** Volume in the margin coin: base quantities of an inverse contract. */
  readonly turnover = new DecimalSum();
  readonly pnl = new DecimalSum();
  readonly fees = new AssetSums();
  readonly contract: GroupContract | null;

  constructor(contract: GroupContract | null) {
    this.contract = contract;
  }

  add({ count, symbol, liquidity, feeAsset, qty, quote, fee }: Part): void {
    this.trades += count;
    if (liquidity === 'MAKER') this.makers += count;
    this.symbols.add(symbol);
    this.#addVolume(qty, quote);
    this.fees.add(feeAsset, fee);
  }

  /** Adds a round trip. One that is open, or whose figures are not all known, is only counted as such. */
  addTrip({ symbol, flags, profit, trades, makers, fees, ...trip }: TripGroup): void {
    const count = (this.trips ??= { ...NO_TRIPS });
    this.symbols.add(symbol);
    if (flags.includes('open')) count.open += 1;
    else if (profit.value === null || flags.includes('unread')) count.unknown += 1;
    else {
      const pnl = calculated(profit.value);
      count.counted += 1;
      if (!isZero(pnl)) count[isPositive(pnl) ? 'wins' : 'losses'] += 1;
      this.pnl.add(profit.value);
      this.trades += trades;
      this.makers += makers;
      this.#addVolume(trip.entryQty, trip.entryQuote);
      this.#addVolume(trip.exitQty, trip.exitQuote);
      for (const { asset, amount: fee } of fees) this.fees.add(asset, fee);
    }
  }

  /** Adds round trips that are summed already. */
  addSummed({ symbol, counted, wins, losses, unknown, fees, ...sums }: SummedTrips): void {
    const count = (this.trips ??= { ...NO_TRIPS });
    this.symbols.add(symbol);
    count.counted += counted;
    count.wins += wins;
    count.losses += losses;
    count.unknown += unknown;
    this.pnl.add(sums.pnl);
    this.trades += sums.trades;
    this.makers += sums.makers;
    this.#addVolume(sums.qty, sums.quote);
    for (const { asset, amount: fee } of fees) this.fees.add(asset, fee);
  }

  close(symbol: string, { coin, profit, isFinal }: ClosingOrder): void {
    this.symbols.add(symbol);
    if (coin !== this.contract?.margin) this.otherCoin = true;
    this.pnl.add(profit);
    if (!isFinal) this.open += 1;
  }

  #addVolume(qty: string, quote: string): void {
    this.volume.add(quote);
    this.turnover.add(this.contract?.inverse === true ? qty : quote);
  }

  /** Returns the totals. `known`: whether the filter allows closed PnL. */
  result(known: boolean): TradeSums {
    const coin = this.contract?.margin ?? null;
    const unknown = !known
      ? 'filter'
      : coin === null || this.otherCoin
        ? 'unit'
        : this.uncovered > 0
          ? 'orders'
          : null;
    const fees = this.fees.list().sort((a, b) => (a.asset === coin ? -1 : b.asset === coin ? 1 : 0));
    const own = fees.find(({ asset }) => asset === coin)?.amount ?? '0';
    const pnl = unknown === null ? this.pnl.text() : null;
    const net = pnl === null ? null : print(subtract(calculated(pnl), calculated(own)));
    return {
      coin,
      quote: this.contract?.quote ?? null,
      trades: this.trades,
      makers: this.makers,
      symbols: [...this.symbols].sort(),
      volume: this.volume.text(),
      fees,
      pnl,
      net,
      bp: net === null ? null : basisPointsOf(calculated(net), calculated(this.turnover.text()), 1),
      unknown,
      uncovered: this.uncovered,
      leftOut: { trades: this.leftOutTrades, orders: this.leftOutOrders },
      open: this.open,
      trips: this.trips,
    };
  }
}

/** Accumulates all groups and the total of each pair of coins. */
export class SumBook {
  readonly groups = new Map<
    string,
    { readonly key: string; readonly period: Period | null; readonly sums: Sums }
  >();
  readonly totals = new Map<string, Sums>();
  readonly #contractOf: ContractOf<GroupContract>;

  constructor(contracts: readonly GroupContract[]) {
    this.#contractOf = contractFinder(contracts);
  }

  /** Returns the group of a key (by default the period or symbol) and the total. An unlisted symbol is its own unit. */
  of(symbol: string, period: Period | null, key = period?.key ?? symbol): readonly [Sums, Sums] {
    const contract = this.#contractOf(symbol) ?? null;
    const unit = contract === null ? `? ${symbol}` : `${contract.margin} ${contract.quote}`;
    const name = JSON.stringify([key, unit]);
    const group = this.groups.get(name) ?? { key, period, sums: new Sums(contract) };
    const total = this.totals.get(unit) ?? new Sums(contract);
    this.groups.set(name, group);
    this.totals.set(unit, total);
    return [group.sums, total];
  }
  add(part: Part, period: Period | null): void {
    for (const sums of this.of(part.symbol, period)) sums.add(part);
  }
  /** Adds a round trip to the group of each of its tags, and to the total once. */
  addTrip(trip: TripGroup, tags: readonly string[]): void {
    let total: Sums | null = null;
    for (const tag of tags) {
      const [group, one] = this.of(trip.symbol, null, tag);
      group.addTrip(trip);
      total = one;
    }
    total?.addTrip(trip);
  }
  /** Adds round trips of a contract that have one tag alone, or none. */
  addSummed(trips: SummedTrips, tag: string): void {
    for (const sums of this.of(trips.symbol, null, tag)) sums.addSummed(trips);
  }
  symbols(): ReadonlySet<string> {
    return new Set([...this.totals.values()].flatMap(({ symbols }) => [...symbols]));
  }

  /** Returns the groups and the totals, most trades first. `isKnown`: whether the filter allows closed PnL. */
  result(kind: SumGroup['kind'], filter: TradeFilter, isKnown: boolean): SumGroups {
    return {
      rows: [...this.groups.values()].map(({ key, period, sums }) => ({
        kind,
        key,
        from: period?.from ?? filter.from,
        to: period?.to ?? filter.to,
        ...sums.result(isKnown),
      })),
      totals: [...this.totals.values()]
        .map((sums) => sums.result(isKnown))
        .sort(byText(nameOf))
        .sort((a, b) => b.trades - a.trades),
    };
  }
}

const nameOf = ({ coin, quote, symbols }: TradeSums): string => `${coin ?? symbols.join()} ${quote ?? ''}`;
