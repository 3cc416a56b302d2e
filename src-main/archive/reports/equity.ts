/**
 * Stores equity samples while Ballast is open, downsampled with age. A balance change that positions and closed orders
 * do not explain is stored as a possible transfer.
 */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import * as v from 'valibot';
import {
  add,
  amount,
  calculated,
  equal,
  isZero,
  print,
  subtract,
  sum,
  ZERO,
  type Amount,
} from '../../../src-shared/amount.ts';
import type { EquityQuery, EquityMove, EquityPoint, EquitySamples } from '../../../src-shared/ipc/archive.ts';
import type {
  AccountSample,
  GonePosition,
  SampleChange,
} from '../../../src-shared/domain/position/balance-change.ts';
import { grossOfRow, PROFIT_COLUMNS, profitConvention } from '../orders/gross-profit.ts';
import { IS_LEFT_OUT } from '../orders/left-out.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { storedId, idText } from '../sqlite/ids.ts';
import { downsample } from '../lib/downsample.ts';
import { SyncState } from '../sqlite/sync-state.ts';
import { inTransaction } from '../sqlite/transaction.ts';
import type { ProfitConvention } from '../../../src-shared/domain/history/profit-fit.ts';
import type { StringTable } from '../sqlite/string-table.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src-shared/time.ts';

/**
 * [age, interval]: each sample for an hour, as many as there are balance changes; then one a minute for a week, per
 * 15 minutes for 3 months, per hour for a year, then per day.
 */
const RETENTION: readonly (readonly [age: number, each: number])[] = [
  [HOUR_MS, MINUTE_MS],
  [7 * DAY_MS, 15 * MINUTE_MS],
  [90 * DAY_MS, 60 * MINUTE_MS],
  [365 * DAY_MS, DAY_MS],
];
/** Samples between two deletions of old ones. */
const DOWNSAMPLE_EVERY = 500;

export type SamplesQuery = Omit<EquityQuery, 'connectionId'>;
type Row = Record<string, SQLOutputValue>;
/** A position whose orders are summed; `symbol` and `leg` are '' for any. */
type BookedPosition = Pick<GonePosition, 'id' | 'symbol' | 'leg' | 'from' | 'to'>;
/** A position may be created this much later than the order that opened it was updated. */
const OPENED_WITHIN_MS = 5_000;
const seenSchema = v.object({
  /** Positions that were closed in between, with their realised PnL before. */
  gone: v.array(
    v.object({
      ...{ id: v.string(), realized: v.string(), funding: v.string() },
      // Missing in older archives, which compared by id alone.
      symbol: v.optional(v.string(), ''),
      leg: v.optional(v.string(), ''),
      from: v.optional(v.nullable(v.number()), null),
      to: v.optional(v.nullable(v.number()), null),
    }),
  ),
  /** Contracts and ids of positions already included; in older archives ids alone. */
  known: v.array(v.string()),
});

const statementsOf = (db: DatabaseSync) => ({
  putSample: db.prepare('INSERT OR REPLACE INTO equity_sample VALUES (?, ?, ?, ?, ?)'),
  putCoin: db.prepare('INSERT OR REPLACE INTO equity_coin VALUES (?, ?, ?, ?, ?, ?)'),
  putMove: db.prepare("INSERT OR REPLACE INTO equity_move VALUES (?, ?, ?, ?, ?, 'open', ?)"),
  getFunding: db.prepare('SELECT amount FROM funding_day WHERE day = ? AND symbol_id = ? AND coin = ?'),
  putFunding: db.prepare('INSERT OR REPLACE INTO funding_day VALUES (?, ?, ?, ?)'),
  count: db.prepare('SELECT count(*) AS n FROM equity_sample'),
  openMoves: db.prepare("SELECT * FROM equity_move WHERE verdict = 'open' AND at <= ?"),
  putVerdict: db.prepare('UPDATE equity_move SET explained = ?, verdict = ? WHERE coin = ? AND at = ?'),
  ofPosition: db.prepare(`SELECT o.fee_asset_id, o.symbol_id, o.side, ${IS_LEFT_OUT} AS left_out,
    ${PROFIT_COLUMNS} FROM history_order AS o INDEXED BY history_order_by_position
    WHERE position_id = ? AND mtime >= ? AND mtime < ?`),
  positionsBetween: db.prepare(`SELECT DISTINCT symbol_id, ${idText('position_id')} AS id FROM history_order
    INDEXED BY history_order_by_change WHERE mtime > ? AND mtime <= ?`),
  coins: db.prepare('SELECT DISTINCT coin FROM equity_coin'),
  moves: db.prepare(
    "SELECT * FROM equity_move WHERE verdict <> 'explained' AND at >= ? AND at <= ? ORDER BY at",
  ),
});

export class EquityStore {
  readonly #db: DatabaseSync;
  readonly #strings: StringTable;
  readonly #sql: ReturnType<typeof statementsOf>;
  readonly #syncState: SyncState;
  #added = 0;

  constructor(db: DatabaseSync, strings: StringTable) {
    this.#db = db;
    this.#strings = strings;
    this.#sql = statementsOf(db);
    this.#syncState = new SyncState(db, 'equity');
  }

  /** Returns the state the recorder stored with its last sample; null before the first. */
  lastState(): string | null {
    return this.#syncState.get();
  }

  add(sample: AccountSample, changes: readonly SampleChange[], state: string): null {
    return this.#transaction(() => {
      const { at, totals } = sample;
      this.#sql.putSample.run(at, totals.equity, totals.balance, totals.available, totals.profitUnreal);
      for (const { coin, equity, balance, available, profitUnreal } of sample.coins)
        this.#sql.putCoin.run(at, this.#strings.idOf(coin), equity, balance, available, profitUnreal);
      for (const change of changes) this.#addChange(at, change);
      this.#syncState.put(state);
      this.#added += 1;
      if (this.#added % DOWNSAMPLE_EVERY === 1) this.#deleteOldSamples(at);
    });
  }

  /** Classifies open balance changes up to `verifiedTo`, the time the order history is verified to, ms. */
  classifyMoves(verifiedTo: number): null {
    return this.#transaction(() => {
      for (const row of this.#sql.openMoves.all(verifiedTo)) {
        const coin = asInteger(row['coin']);
        const at = asInteger(row['at']);
        const booked = this.#bookedBetween(row, coin, at);
        const explained = add(calculated(asText(row['explained'])), booked ?? ZERO);
        const all = equal(explained, calculated(asText(row['change'])));
        const verdict = booked === null ? 'unknown' : all ? 'explained' : 'possible-transfer';
        this.#sql.putVerdict.run(print(explained), verdict, coin, at);
      }
    });
  }

  samples({ from, to, coin, points }: SamplesQuery): EquitySamples {
    const strings = this.#strings;
    const coinId = coin === null ? null : (strings.find(coin) ?? -1);
    const [table, where] = coinId === null ? ['equity_sample', '1'] : ['equity_coin', `coin = ${coinId}`];
    const range = [from ?? 0, to ?? Number.MAX_SAFE_INTEGER] as const;
    const rows = this.#db
      .prepare(
        `SELECT at, equity, balance, available, profit_unreal FROM ${table}
         WHERE ${where} AND at >= ? AND at <= ? ORDER BY at`,
      )
      .all(...range)
      .map(pointOf);
    const coins = this.#sql.coins.all().map((row) => strings.valueOf(asInteger(row['coin'])));
    const moves = this.#sql.moves.all(...range).map((row) => moveOf(row, strings));
    return {
      points: downsample(
        rows,
        points,
        (one) => one.at,
        (one) => one.equity,
      ),
      samples: rows.length,
      coins: coins.sort(),
      moves: moves.filter((one) => coin === null || one.coin === coin),
    };
  }

  /** Returns the number of samples. */
  count(): number {
    return asInteger(this.#sql.count.get()?.['n']);
  }

  #addChange(at: number, { coin, since, change, explained, open, gone, known, funding }: SampleChange): void {
    const { getFunding, putFunding, putMove } = this.#sql;
    for (const { symbol, amount: paid } of funding) {
      const key = [Math.floor(at / DAY_MS), this.#strings.idOf(symbol), this.#strings.idOf(coin)] as const;
      const before = getFunding.get(...key)?.['amount'];
      const total = add(before === undefined ? ZERO : calculated(asText(before)), calculated(paid));
      putFunding.run(...key, print(total));
    }
    if (open)
      putMove.run(at, this.#strings.idOf(coin), since, change, explained, JSON.stringify({ gone, known }));
  }

  /** Deletes all but the last sample of each interval. */
  #deleteOldSamples(now: number): void {
    RETENTION.forEach(([age, each], index) => {
      const until = now - age;
      const since = now - (RETENTION[index + 1]?.[0] ?? now);
      for (const [table, sameCoin] of [
        ['equity_sample', '1'],
        ['equity_coin', 'later.coin = one.coin'],
      ] as const)
        // By key: NOT IN a list of pairs compares each deleted row with the whole list, which took seconds.
        this.#db
          .prepare(
            `DELETE FROM ${table} AS one WHERE at < ? AND at >= ? AND EXISTS
               (SELECT 1 FROM ${table} AS later WHERE ${sameCoin}
                AND later.at > one.at AND later.at < min(?, (one.at / ${each} + 1) * ${each}))`,
          )
          .run(until, since, until);
    });
  }

  /**
   * Returns what orders booked in a coin between the two samples of a move that its samples do not show; null if one of
   * them is left out of totals, or names no coin or no position for what it booked.
   */
  #bookedBetween(move: Row, coin: number, at: number): Amount | null {
    const { gone, known } = v.parse(seenSchema, JSON.parse(asText(move['positions'])));
    const shown = gone.map((one) => subtract(calculated(one.funding), calculated(one.realized)));
    // Opened and closed between the two samples.
    const since = asInteger(move['since']);
    const unseen = this.#sql.positionsBetween
      .all(since, at)
      .map((row) => ({ symbol: this.#strings.valueOf(asInteger(row['symbol_id'])), id: asText(row['id']) }))
      .filter(
        ({ symbol, id }) =>
          !['', '0'].includes(id) && !known.includes(id) && !known.includes(`${symbol} ${id}`),
      )
      .map((one) => ({ ...one, leg: '', from: since, to: null }));
    const rows = [...gone, ...unseen].flatMap((one) => this.#rowsOf(one));
    const unnamed = [...gone, { symbol: '', leg: '', from: since, to: null }].flatMap((one) =>
      this.#rowsOf({ ...one, id: '', to: one.to ?? at + 1 }),
    );
    const convention = profitConvention(this.#db);
    const noCoin = this.#strings.find('') ?? -1;
    const isUnknown = (row: Row): boolean =>
      (row['left_out'] === 1 && [coin, noCoin].some((one) => isOfCoin(row, one))) ||
      !isZero(bookedBy(row, noCoin, convention));
    if (rows.some(isUnknown)) return null;
    if (unnamed.some((row) => isUnknown(row) || !isZero(bookedBy(row, coin, convention)))) return null;
    return sum([...shown, ...rows.map((row) => bookedBy(row, coin, convention))]);
  }

  /** Returns the orders of a closed position. */
  #rowsOf({ id, symbol, leg, from, to }: BookedPosition): Row[] {
    return this.#sql.ofPosition
      .all(storedId(id), from === null ? 0 : from - OPENED_WITHIN_MS, to ?? Number.MAX_SAFE_INTEGER)
      .filter((row) => symbol === '' || this.#strings.valueOf(asInteger(row['symbol_id'])) === symbol)
      .filter((row) => leg === '' || this.#legOf(row) === leg);
  }

  /** Returns the side of the leg an order acts on. */
  #legOf(row: Row): string {
    const side = this.#strings.valueOf(asInteger(row['side']));
    return row['reduce_only'] !== 1 ? side : side === 'BUY' ? 'SELL' : 'BUY';
  }

  #transaction(work: () => void): null {
    inTransaction(this.#db, work, () => this.#strings.reload());
    return null;
  }
}

const isOfCoin = (row: Row, coin: number): boolean =>
  row['profit_coin'] === coin || row['fee_asset_id'] === coin;

/** Returns what an order booked in a coin: profit − fees. */
const bookedBy = (row: Row, coin: number, convention: ProfitConvention): Amount =>
  subtract(
    row['profit_coin'] === coin ? calculated(grossOfRow(row, convention)) : ZERO,
    row['fee_asset_id'] === coin ? amount(asText(row['fee_amount'])) : ZERO,
  );

const pointOf = (row: Row): EquityPoint => ({
  at: asInteger(row['at']),
  equity: asText(row['equity']),
  balance: asText(row['balance']),
  available: asText(row['available']),
  profitUnreal: asText(row['profit_unreal']),
});

const moveOf = (row: Row, strings: StringTable): EquityMove => ({
  at: asInteger(row['at']),
  coin: strings.valueOf(asInteger(row['coin'])),
  residual:
    row['verdict'] === 'unknown'
      ? null
      : print(subtract(calculated(asText(row['change'])), calculated(asText(row['explained'])))),
  verdict: row['verdict'] === 'open' ? 'open' : 'possible-transfer',
});
