/**
 * The identity by id first: ids ascend, so a walk appends to it. By symbol first it split pages in the middle for each
 * contract, half of what the index cost.
 */
export const IDENTITY = `
DROP INDEX trade_identity;
CREATE UNIQUE INDEX trade_identity ON trade (trade_id, symbol);
`;
