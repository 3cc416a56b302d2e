/**
 * Trades as received. Decimals are the exchange's text; repeated strings (symbol, side, liquidity, fee asset) are
 * stored once in `word`, the string table. Ids are INTEGER where 64 signed bits hold them, so that they sort as numbers
 * and take 8 bytes; `trades/codec.ts` defines the form of the others.
 *
 * A row is never changed or deleted: `seq` only grows, so `seq <= n` is the archive as it was when it held n rows.
 */
export const TRADES = `
CREATE TABLE word (
  id INTEGER PRIMARY KEY,
  value TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE trade (
  seq INTEGER PRIMARY KEY,
  trade_time INTEGER NOT NULL,
  symbol INTEGER NOT NULL REFERENCES word (id),
  side INTEGER NOT NULL REFERENCES word (id),
  price TEXT NOT NULL,
  executed_qty TEXT NOT NULL,
  executed_quote_qty TEXT NOT NULL,
  fee TEXT NOT NULL,
  fee_asset INTEGER NOT NULL REFERENCES word (id),
  liquidity INTEGER NOT NULL REFERENCES word (id),
  "offset" INTEGER NOT NULL,
  order_id ANY NOT NULL,
  trade_id ANY NOT NULL
) STRICT;

CREATE UNIQUE INDEX trade_identity ON trade (symbol, trade_id);
-- Time order, and symbol (and side) in time order. Both carry every filtered column: a page or a count at any depth
-- reads the index alone and touches only the rows it shows.
CREATE INDEX trade_by_time ON trade (trade_time, trade_id, symbol, side, liquidity);
CREATE INDEX trade_by_symbol ON trade (symbol, trade_time, trade_id, side, liquidity);
CREATE INDEX trade_by_order ON trade (order_id, trade_time, trade_id);

-- Exact sums of each UTC day (trade_time / 86400000), kept in the same transaction as the rows, so that totals do
-- not read a million texts. It can always be built again from \`trade\`.
CREATE TABLE trade_day (
  day INTEGER NOT NULL,
  symbol INTEGER NOT NULL,
  side INTEGER NOT NULL,
  liquidity INTEGER NOT NULL,
  fee_asset INTEGER NOT NULL,
  count INTEGER NOT NULL,
  qty TEXT NOT NULL,
  quote TEXT NOT NULL,
  fee TEXT NOT NULL,
  PRIMARY KEY (day, symbol, side, liquidity, fee_asset)
) STRICT, WITHOUT ROWID;

-- Same id, different content: kept as it came, once.
CREATE TABLE quarantine (
  id INTEGER PRIMARY KEY,
  symbol TEXT NOT NULL,
  trade_id TEXT NOT NULL,
  content TEXT NOT NULL UNIQUE,
  received_at INTEGER NOT NULL
) STRICT;

-- The sync's own note of where it is, written with the rows it speaks of; one a resource.
CREATE TABLE sync_state (
  resource TEXT PRIMARY KEY,
  checkpoint TEXT NOT NULL
) STRICT;

-- The trades the walk in progress has met, so that "distinct ids equal total" can be proven across a kill.
CREATE TABLE sync_seen (
  seq INTEGER PRIMARY KEY REFERENCES trade (seq)
) STRICT;
`;
