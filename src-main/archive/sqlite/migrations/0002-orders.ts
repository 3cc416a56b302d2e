/**
 * Order history as received, one row per order. Until an order is final its row is replaced by a newer version
 * (`mtime`) under the same `seq`. Columns are the API's fields; strings, ids and decimals as in `trade`, flags as 0
 * or 1.
 */
export const ORDERS = `
CREATE TABLE history_order (
  seq INTEGER PRIMARY KEY,
  is_final INTEGER NOT NULL,
  order_time INTEGER NOT NULL,
  mtime INTEGER NOT NULL,
  symbol_id INTEGER NOT NULL REFERENCES word (id),
  side INTEGER NOT NULL REFERENCES word (id),
  type INTEGER NOT NULL REFERENCES word (id),
  time_in_force INTEGER NOT NULL REFERENCES word (id),
  price TEXT NOT NULL,
  avg_price TEXT,
  total_quantity TEXT NOT NULL,
  trade_quantity TEXT NOT NULL,
  quantity TEXT NOT NULL,
  cancel_quantity TEXT NOT NULL,
  total_amount TEXT NOT NULL,
  trade_amount TEXT NOT NULL,
  amount TEXT NOT NULL,
  cancel_amount TEXT NOT NULL,
  status INTEGER NOT NULL REFERENCES word (id),
  cancel_reason INTEGER NOT NULL,
  source INTEGER NOT NULL,
  profit TEXT NOT NULL,
  fee_amount TEXT NOT NULL,
  fee_asset_id INTEGER NOT NULL REFERENCES word (id),
  fee_rate_maker TEXT NOT NULL,
  fee_rate_taker TEXT NOT NULL,
  liquidation_fee_rate TEXT,
  leverage INTEGER NOT NULL,
  margin_mode INTEGER NOT NULL REFERENCES word (id),
  position_mode INTEGER NOT NULL REFERENCES word (id),
  locked TEXT NOT NULL,
  released_lock TEXT NOT NULL,
  lock_asset_id INTEGER NOT NULL REFERENCES word (id),
  reduce_only INTEGER NOT NULL,
  post_only INTEGER NOT NULL,
  reverse_order INTEGER NOT NULL,
  tp_price TEXT,
  tp_type INTEGER REFERENCES word (id),
  sl_price TEXT,
  sl_type INTEGER REFERENCES word (id),
  condition_order_id ANY NOT NULL,
  position_id ANY NOT NULL,
  id ANY NOT NULL,
  uid ANY NOT NULL
) STRICT;

CREATE UNIQUE INDEX history_order_identity ON history_order (id);
CREATE INDEX history_order_by_time ON history_order (order_time, id);
CREATE INDEX history_order_by_change ON history_order (mtime, id);
CREATE INDEX history_order_by_position ON history_order (position_id);
-- Few: what must be asked for again.
CREATE INDEX history_order_unsettled ON history_order (seq) WHERE is_final = 0;

-- Each UTC day of changes (mtime / 86400000) as what a chain of days can be put together from: sums, and how far the
-- running result stood above and below its start. symbol_id 0 is all contracts. Built anew from the day's rows in
-- the transaction that changes one of them.
CREATE TABLE order_day (
  day INTEGER NOT NULL,
  symbol_id INTEGER NOT NULL,
  coin INTEGER NOT NULL REFERENCES word (id),
  orders INTEGER NOT NULL,
  wins INTEGER NOT NULL,
  losses INTEGER NOT NULL,
  gained TEXT NOT NULL,
  lost TEXT NOT NULL,
  fee TEXT NOT NULL,
  net TEXT NOT NULL,
  peak TEXT NOT NULL,
  trough TEXT NOT NULL,
  drawdown TEXT NOT NULL,
  PRIMARY KEY (day, symbol_id, coin)
) STRICT, WITHOUT ROWID;

-- Another telling of a final order, or an older one that says otherwise: kept as it came, once.
CREATE TABLE order_quarantine (
  id INTEGER PRIMARY KEY,
  symbol TEXT NOT NULL,
  order_id TEXT NOT NULL,
  content TEXT NOT NULL UNIQUE,
  received_at INTEGER NOT NULL
) STRICT;

-- Times of which the exchange would not list everything. symbol NULL is all contracts.
CREATE TABLE order_gap (
  from_time INTEGER NOT NULL,
  to_time INTEGER NOT NULL,
  symbol TEXT,
  reason TEXT NOT NULL,
  UNIQUE (from_time, to_time, symbol)
) STRICT;
`;
