/**
 * Puts the id first in the unique index: ids ascend, so inserts append. With the symbol first every contract split
 * pages, half of the index's cost.
 */
export const IDENTITY = `
DROP INDEX trade_identity;
CREATE UNIQUE INDEX trade_identity ON trade (trade_id, symbol);
`;
