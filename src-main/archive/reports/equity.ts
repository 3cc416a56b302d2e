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
  print,
  subtract,
  sum,
  ZERO,
  type Amount,
} from '../../../src-shared/amount.ts';
import type { EquityMove, EquityPoint, EquitySamples } from '../../../src-shared/ipc/archive.ts';
import type { AccountSample, SampleChange } from '../../../src-shared/domain/position/balance-change.ts';
import { grossOf, PROFIT_COLUMNS, profitConvention } from '../orders/gross-profit.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { storedId, idText } from '../trades/codec.ts';
import { DAY_MS } from '../trades/daily-totals.ts';
import { downsample } from '../lib/downsample.ts';
import type { StringTable } from '../sqlite/string-table.ts';

const RESOURCE = 'equity';
const MINUTE = 60_000;
/** [age, interval]: one sample a minute for a week, per 15 minutes for 3 months, per hour for a year, then per day. */
const RETENTION: readonly (readonly [age: number, each: number])[] = [
  [7 * DAY_MS, 15 * MINUTE],
  [90 * DAY_MS, 60 * MINUTE],
  [365 * DAY_MS, DAY_MS],
];
/** Samples between two deletions of old ones. */
const DOWNSAMPLE_EVERY = 500;

export interface EquityStore {
  /** Returns the state the recorder stored with its last sample; null before the first. */
  lastState(): string | null;
  add(sample: AccountSample, changes: readonly SampleChange[], state: string): null;
  /** Classifies open balance changes up to `verifiedTo`, the time the order history is verified to, ms. */
  classifyMoves(verifiedTo: number): null;
  samples(query: {
    readonly from: number | null;
    readonly to: number | null;
    readonly coin: string | null;
    readonly points: number;
  }): EquitySamples;
  count(): number;
}

const seenSchema = v.object({
  /** Positions that were closed in between, with their realised PnL before. */
  gone: v.array(v.object({ id: v.string(), realized: v.string(), funding: v.string() })),
  /** Positions already included. */
  known: v.array(v.string()),
});

export function createEquityStore(db: DatabaseSync, strings: StringTable): EquityStore {
  const putSample = db.prepare('INSERT OR REPLACE INTO equity_sample VALUES (?, ?, ?, ?, ?)');
  const putCoin = db.prepare('INSERT OR REPLACE INTO equity_coin VALUES (?, ?, ?, ?, ?, ?)');
  const putMove = db.prepare("INSERT OR REPLACE INTO equity_move VALUES (?, ?, ?, ?, ?, 'open', ?)");
  const putState = db.prepare('INSERT OR REPLACE INTO sync_state VALUES (?, ?)');
  const getState = db.prepare('SELECT checkpoint FROM sync_state WHERE resource = ?');
  const getFunding = db.prepare(
    'SELECT amount FROM funding_day WHERE day = ? AND symbol_id = ? AND coin = ?',
  );
  const putFunding = db.prepare('INSERT OR REPLACE INTO funding_day VALUES (?, ?, ?, ?)');
  const countSamples = db.prepare('SELECT count(*) AS n FROM equity_sample');
  const openMoves = db.prepare("SELECT * FROM equity_move WHERE verdict = 'open' AND at <= ?");
  const putVerdict = db.prepare(
    'UPDATE equity_move SET explained = ?, verdict = ? WHERE coin = ? AND at = ?',
  );
  const ofPosition =
    db.prepare(`SELECT o.lock_asset_id, o.fee_asset_id, ${PROFIT_COLUMNS} FROM history_order AS o
    INDEXED BY history_order_by_position WHERE position_id = ?`);
  const positionsBetween = db.prepare(`SELECT DISTINCT ${idText('position_id')} AS id FROM history_order
    INDEXED BY history_order_by_change WHERE mtime > ? AND mtime <= ?`);
  const coins = db.prepare('SELECT DISTINCT coin FROM equity_coin');
  const moves = db.prepare(
    "SELECT * FROM equity_move WHERE verdict <> 'explained' AND at >= ? AND at <= ? ORDER BY at",
  );
  let added = 0;

  function transaction(work: () => void): null {
    db.exec('BEGIN IMMEDIATE');
    try {
      work();
      db.exec('COMMIT');
      return null;
    } catch (error) {
      // A full disk may have rolled back by itself.
      if (db.isTransaction) db.exec('ROLLBACK');
      strings.reload();
      throw error;
    }
  }

  /** Deletes all but the last sample of each interval. */
  function deleteOldSamples(now: number): void {
    RETENTION.forEach(([age, each], index) => {
      const until = now - age;
      const since = now - (RETENTION[index + 1]?.[0] ?? now);
      for (const [table, by] of [
        ['equity_sample', ''],
        ['equity_coin', 'coin, '],
      ] as const)
        db.prepare(
          `DELETE FROM ${table} WHERE at < ? AND at >= ? AND (${by}at) NOT IN
             (SELECT ${by}max(at) FROM ${table} WHERE at < ? AND at >= ? GROUP BY ${by}at / ${each})`,
        ).run(until, since, until, since);
    });
  }

  /** Returns what a closed position's orders booked in a coin: profit − fees. */
  function booked(position: string, coin: number): Amount {
    const convention = profitConvention(db);
    return sum(
      ofPosition
        .all(storedId(position))
        .map((row) =>
          subtract(
            row['lock_asset_id'] === coin ? amount(grossOf(row, convention)) : ZERO,
            row['fee_asset_id'] === coin ? amount(asText(row['fee_amount'])) : ZERO,
          ),
        ),
    );
  }

  return {
    lastState() {
      const row = getState.get(RESOURCE);
      return row === undefined ? null : asText(row['checkpoint']);
    },
    add: (sample, changes, state) =>
      transaction(() => {
        const { at, totals } = sample;
        putSample.run(at, totals.equity, totals.balance, totals.available, totals.profitUnreal);
        for (const { coin, equity, balance, available, profitUnreal } of sample.coins)
          putCoin.run(at, strings.idOf(coin), equity, balance, available, profitUnreal);
        for (const one of changes) {
          for (const { symbol, amount: paid } of one.funding) {
            const key = [Math.floor(at / DAY_MS), strings.idOf(symbol), strings.idOf(one.coin)] as const;
            const before = getFunding.get(...key)?.['amount'];
            const total = add(before === undefined ? ZERO : calculated(asText(before)), calculated(paid));
            putFunding.run(...key, print(total));
          }
          if (one.open)
            putMove.run(
              at,
              strings.idOf(one.coin),
              one.since,
              one.change,
              one.explained,
              JSON.stringify({ gone: one.gone, known: one.known }),
            );
        }
        putState.run(RESOURCE, state);
        added += 1;
        if (added % DOWNSAMPLE_EVERY === 1) deleteOldSamples(at);
      }),
    classifyMoves: (verifiedTo) =>
      transaction(() => {
        for (const row of openMoves.all(verifiedTo)) {
          const coin = asInteger(row['coin']);
          const at = asInteger(row['at']);
          const { gone, known } = v.parse(seenSchema, JSON.parse(asText(row['positions'])));
          let explained = calculated(asText(row['explained']));
          for (const { id, realized, funding } of gone)
            explained = add(
              explained,
              subtract(add(booked(id, coin), calculated(funding)), calculated(realized)),
            );
          // Opened and closed between the two samples.
          for (const { id } of positionsBetween.all(asInteger(row['since']), at))
            if (id !== '0' && !known.includes(asText(id)))
              explained = add(explained, booked(asText(id), coin));
          const all = equal(explained, calculated(asText(row['change'])));
          putVerdict.run(print(explained), all ? 'explained' : 'possible-transfer', coin, at);
        }
      }),
    samples({ from, to, coin, points }) {
      const coinId = coin === null ? null : (strings.find(coin) ?? -1);
      const [table, where] = coinId === null ? ['equity_sample', '1'] : ['equity_coin', `coin = ${coinId}`];
      const range = [from ?? 0, to ?? Number.MAX_SAFE_INTEGER] as const;
      const rows = db
        .prepare(
          `SELECT at, equity, balance, available, profit_unreal FROM ${table}
           WHERE ${where} AND at >= ? AND at <= ? ORDER BY at`,
        )
        .all(...range)
        .map(pointOf);
      return {
        points: downsample(
          rows,
          points,
          (one) => one.at,
          (one) => one.equity,
        ),
        samples: rows.length,
        coins: coins
          .all()
          .map((row) => strings.valueOf(asInteger(row['coin'])))
          .sort(),
        moves: moves
          .all(...range)
          .map((row) => moveOf(row, strings))
          .filter((one) => coin === null || one.coin === coin),
      };
    },
    count: () => asInteger(countSamples.get()?.['n']),
  };
}

const pointOf = (row: Record<string, SQLOutputValue>): EquityPoint => ({
  at: asInteger(row['at']),
  equity: asText(row['equity']),
  balance: asText(row['balance']),
  available: asText(row['available']),
  profitUnreal: asText(row['profit_unreal']),
});

const moveOf = (row: Record<string, SQLOutputValue>, strings: StringTable): EquityMove => ({
  at: asInteger(row['at']),
  since: asInteger(row['since']),
  coin: strings.valueOf(asInteger(row['coin'])),
  change: asText(row['change']),
  explained: asText(row['explained']),
  residual: print(subtract(calculated(asText(row['change'])), calculated(asText(row['explained'])))),
  verdict: row['verdict'] === 'open' ? 'open' : 'possible-transfer',
});
