/**
 * Received texts that differ from their column: a missing or unreadable number is stored as 0, one with an exponent as
 * a plain decimal.
 */
export const RECEIVED = `
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
`;
