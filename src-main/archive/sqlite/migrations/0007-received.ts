/**
 * Texts as the exchange sent them, where a record's column holds another: a figure that cannot be calculated with or
 * was not given stands as 0 in its column, one with an exponent as a plain decimal. Rows without such a text have none.
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
