/**
 * The user's notes and tags of an order. Each edit gets the next `seq`, so that the highest tells whether something
 * changed. A deleted note is a row without text and tags, so that a merge knows of it (`notes/merge.ts`).
 */
export const NOTES = `
CREATE TABLE order_note (
  seq INTEGER PRIMARY KEY,
  order_id ANY NOT NULL UNIQUE,
  text TEXT NOT NULL,
  tags TEXT NOT NULL CHECK (json_valid(tags) AND json_type(tags) = 'array'),
  edited_at INTEGER NOT NULL
) STRICT;
`;
