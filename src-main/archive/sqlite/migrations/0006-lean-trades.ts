/**
 * What each trade costs to store, made less: the sums by day find a page's day, and inside it the index by time is
 * quick for any contract, so the index by symbol goes (keeping it cost more than the table itself). Fills of one order
 * are few, so their order needs no index. What a walk has seen is a few stretches of rows, not each of them.
 */
export const LEAN_TRADES = `
DROP INDEX trade_by_symbol;
DROP INDEX trade_by_order;
CREATE INDEX trade_by_order ON trade (order_id, trade_time);

CREATE TABLE seen_stretch (
  first_seq INTEGER PRIMARY KEY,
  last_seq INTEGER NOT NULL
) STRICT;
INSERT INTO seen_stretch
  SELECT min(seq), max(seq) FROM (SELECT seq, seq - row_number() OVER (ORDER BY seq) AS stretch FROM sync_seen)
  GROUP BY stretch;
DROP TABLE sync_seen;
`;
