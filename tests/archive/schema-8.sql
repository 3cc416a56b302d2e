-- An archive of schema 8, as Ballast of that time wrote it: with records set aside.
PRAGMA foreign_keys = OFF;
PRAGMA application_id = 1113681004;
PRAGMA user_version = 0;
BEGIN;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
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
CREATE TABLE quarantine (
  id INTEGER PRIMARY KEY,
  symbol TEXT NOT NULL,
  trade_id TEXT NOT NULL,
  content TEXT NOT NULL UNIQUE,
  received_at INTEGER NOT NULL
) STRICT;
CREATE TABLE sync_state (
  resource TEXT PRIMARY KEY,
  checkpoint TEXT NOT NULL
) STRICT;
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
CREATE TABLE order_quarantine (
  id INTEGER PRIMARY KEY,
  symbol TEXT NOT NULL,
  order_id TEXT NOT NULL,
  content TEXT NOT NULL UNIQUE,
  received_at INTEGER NOT NULL
) STRICT;
CREATE TABLE order_gap (
  from_time INTEGER NOT NULL,
  to_time INTEGER NOT NULL,
  symbol TEXT,
  reason TEXT NOT NULL,
  UNIQUE (from_time, to_time, symbol)
) STRICT;
CREATE TABLE equity_sample (
  at INTEGER PRIMARY KEY,
  equity TEXT NOT NULL,
  balance TEXT NOT NULL,
  available TEXT NOT NULL,
  profit_unreal TEXT NOT NULL
) STRICT;
CREATE TABLE equity_coin (
  at INTEGER NOT NULL,
  coin INTEGER NOT NULL REFERENCES word (id),
  equity TEXT NOT NULL,
  balance TEXT NOT NULL,
  available TEXT NOT NULL,
  profit_unreal TEXT NOT NULL,
  PRIMARY KEY (coin, at)
) STRICT, WITHOUT ROWID;
CREATE TABLE equity_move (
  at INTEGER NOT NULL,
  coin INTEGER NOT NULL REFERENCES word (id),
  since INTEGER NOT NULL,
  change TEXT NOT NULL,
  explained TEXT NOT NULL,
  verdict TEXT NOT NULL,
  positions TEXT NOT NULL,
  PRIMARY KEY (coin, at)
) STRICT, WITHOUT ROWID;
CREATE TABLE funding_day (
  day INTEGER NOT NULL,
  symbol_id INTEGER NOT NULL REFERENCES word (id),
  coin INTEGER NOT NULL REFERENCES word (id),
  amount TEXT NOT NULL,
  PRIMARY KEY (day, symbol_id, coin)
) STRICT, WITHOUT ROWID;
CREATE TABLE trade_import (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  imported_at INTEGER NOT NULL,
  after_seq INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  known INTEGER NOT NULL
) STRICT;
CREATE TABLE seen_stretch (
  first_seq INTEGER PRIMARY KEY,
  last_seq INTEGER NOT NULL
) STRICT;
CREATE TABLE trade_received (
  seq INTEGER NOT NULL,
  field TEXT NOT NULL,
  received TEXT NOT NULL,
  PRIMARY KEY (seq, field)
) STRICT, WITHOUT ROWID;
CREATE TABLE order_received (
  seq INTEGER NOT NULL,
  field TEXT NOT NULL,
  received TEXT NOT NULL,
  PRIMARY KEY (seq, field)
) STRICT, WITHOUT ROWID;
CREATE TABLE trade_set_aside (
  raw TEXT NOT NULL,
  number INTEGER NOT NULL,
  record TEXT NOT NULL,
  message TEXT NOT NULL,
  symbol TEXT,
  from_time INTEGER NOT NULL,
  to_time INTEGER NOT NULL,
  -- By the backfill in progress, or the last one.
  is_met INTEGER NOT NULL,
  PRIMARY KEY (raw, number)
) STRICT, WITHOUT ROWID;
INSERT INTO "meta" VALUES ('schema_version', '8');
INSERT INTO "meta" VALUES ('connection_id', 'one');
INSERT INTO "word" VALUES (1, 'BTC-USDT-M');
INSERT INTO "word" VALUES (2, 'BUY');
INSERT INTO "word" VALUES (3, 'MAKER');
INSERT INTO "word" VALUES (4, 'USDT');
INSERT INTO "word" VALUES (5, 'TAKER');
INSERT INTO "word" VALUES (6, 'ETH-USDT-M');
INSERT INTO "word" VALUES (7, 'SELL');
INSERT INTO "word" VALUES (8, 'LIMIT');
INSERT INTO "word" VALUES (9, 'GTC');
INSERT INTO "word" VALUES (10, 'FILLED');
INSERT INTO "word" VALUES (11, 'CROSSED');
INSERT INTO "word" VALUES (12, 'ONEWAY');
INSERT INTO "trade" VALUES (1, 1792886400000, 1, 2, '97250.10', '0.010', '972.5010', '0.0100', 4, 3, 0, 9007199254740993, 9007199254740993);
INSERT INTO "trade" VALUES (2, 1792886401000, 1, 2, '999999999999999999999999.999999999999999999', '999999999999999999999999.999999999999999999', '999999999999999999999999.999999999999999999', '-0.000000000000000001', 4, 5, 0, 9007199254740993, '00000000000000000012/00012');
INSERT INTO "trade" VALUES (3, 1792886402000, 6, 7, '1.50', '2.000', '3.00000', '0.30', 4, 5, 0, '18446744073709551615/18446744073709551615', '99999999999999999999/99999999999999999999');
INSERT INTO "trade" VALUES (4, 1792886403000, 1, 2, '1000', '0', '60.103', '0', 4, 5, 0, 9007199254740994, 9007199254740996);
INSERT INTO "trade_day" VALUES (20751, 1, 2, 3, 4, 1, '0.01', '972.501', '0.01');
INSERT INTO "trade_day" VALUES (20751, 1, 2, 5, 4, 2, '999999999999999999999999.999999999999999999', '1000000000000000000000060.102999999999999999', '-0.000000000000000001');
INSERT INTO "trade_day" VALUES (20751, 6, 7, 5, 4, 1, '2', '3', '0.3');
INSERT INTO "sync_state" VALUES ('trades', '{"page":8}');
INSERT INTO "history_order" VALUES (1, 1, 1792886400000, 1792886400500, 1, 2, 8, 9, '60000.50', '60000.50', '0.010', '0.010', '0.000', '0.000', '600.00', '600.00', '0.00', '0.00', 10, 1, 0, '-1.50', '0.0360', 4, '0.0002', '0.0006', NULL, 10, 11, 12, '60.00', '60.00', 4, 1, 0, 0, NULL, NULL, NULL, NULL, '00000000000000000000/', 9007199255740993, '00000000000000000007/00007', 1);
INSERT INTO "history_order" VALUES (2, 1, 1792886403000, 1792886403500, 1, 7, 8, 9, '97250.10', '60003.50', '0.010', '0.010', '0.000', '0.000', '600.00', '600.00', '0.00', '0.00', 10, 1, 0, '0.000000000000000001', '-0.10', 4, '0.0002', '0.0006', NULL, 10, 11, 12, '60.00', '60.00', 4, 1, 0, 0, NULL, NULL, NULL, NULL, '00000000000000000000/', 9007199255740994, 9007199254740996, 1);
INSERT INTO "history_order" VALUES (3, 1, 1792886406000, 1792886406500, 1, 2, 8, 9, '60006.50', '60006.50', '0.010', '0.010', '0.000', '0.000', '600.00', '600.00', '0.00', '0.00', 10, 1, 0, '0', '0.036', 4, '0.0002', '0.0006', NULL, 10, 11, 12, '60.00', '60.00', 4, 0, 0, 0, NULL, NULL, NULL, NULL, '00000000000000000000/', 9007199255740996, 9007199254740999, 1);
INSERT INTO "order_day" VALUES (20751, 0, 4, 3, 1, 1, '0.000000000000000001', '-1.5', '-0.028', '-1.471999999999999999', '0', '-1.536', '1.536');
INSERT INTO "order_day" VALUES (20751, 1, 4, 3, 1, 1, '0.000000000000000001', '-1.5', '-0.028', '-1.471999999999999999', '0', '-1.536', '1.536');
INSERT INTO "seen_stretch" VALUES (1, 4);
INSERT INTO "trade_received" VALUES (4, 'executedQty', 'n/a, "none"');
INSERT INTO "trade_received" VALUES (4, 'fee', '100000000000000000000000000000000000000000000000000000000000');
INSERT INTO "trade_received" VALUES (4, 'price', '1e3');
INSERT INTO "order_received" VALUES (3, 'profit', 'soon');
INSERT INTO "trade_set_aside" VALUES ('{"symbol":"BTC-USDT-M"}', 0, 'trade', 'tradeId: not given', 'BTC-USDT-M', 1792886404000, 1792886404000, 1);
CREATE INDEX trade_by_time ON trade (trade_time, trade_id, symbol, side, liquidity);
CREATE UNIQUE INDEX history_order_identity ON history_order (id);
CREATE INDEX history_order_by_time ON history_order (order_time, id);
CREATE INDEX history_order_by_change ON history_order (mtime, id);
CREATE INDEX history_order_by_position ON history_order (position_id);
CREATE INDEX history_order_unsettled ON history_order (seq) WHERE is_final = 0;
CREATE UNIQUE INDEX trade_identity ON trade (trade_id, symbol);
CREATE INDEX trade_by_order ON trade (order_id, trade_time);
COMMIT;
