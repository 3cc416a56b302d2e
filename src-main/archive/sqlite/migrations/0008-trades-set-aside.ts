/**
 * Records of the trade history whose identity cannot be read, as received: they are in no row, but a backfill has to
 * count them. Equal records of one reply are numbered. Times are the record's own where readable, else its page's.
 */
export const TRADES_SET_ASIDE = `
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
`;
