/**
 * Marks the second side of a trade of the account with itself, which an exchange may list under the id of the first
 * (`trades/writer.ts`).
 */
export const TRADE_SIDES = `
ALTER TABLE trade ADD COLUMN is_second INTEGER NOT NULL DEFAULT 0;
DROP INDEX trade_identity;
CREATE UNIQUE INDEX trade_identity ON trade (trade_id, symbol, is_second);
`;
