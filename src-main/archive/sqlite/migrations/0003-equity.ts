/** Equity samples while Ballast is open, and unexplained balance changes. */
export const EQUITY = `
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

-- A change of a coin's balance between two samples that its positions do not explain. \`verdict\` is 'open' until the
-- order history is proven beyond \`at\`, then 'explained' or 'possible-transfer'. \`positions\`: JSON of what was seen
-- of the positions, for that judgement.
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

-- Funding seen in positions while Ballast was open, by UTC day.
CREATE TABLE funding_day (
  day INTEGER NOT NULL,
  symbol_id INTEGER NOT NULL REFERENCES word (id),
  coin INTEGER NOT NULL REFERENCES word (id),
  amount TEXT NOT NULL,
  PRIMARY KEY (day, symbol_id, coin)
) STRICT, WITHOUT ROWID;
`;
