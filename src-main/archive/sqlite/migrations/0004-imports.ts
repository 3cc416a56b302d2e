/** Imported trades: rows after `after_seq` up to `last_seq`. They verify nothing. `known` of the file's rows were stored before. */
export const IMPORTS = `
CREATE TABLE trade_import (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  imported_at INTEGER NOT NULL,
  after_seq INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  known INTEGER NOT NULL
) STRICT;
`;
