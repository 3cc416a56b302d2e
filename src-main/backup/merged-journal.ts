/** Merges the journal of a backup with the present one, piece by piece: either may be larger than the memory. */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { NEW_LINE } from '../orders/journal/replay.ts';

const PIECE = 1 << 20;
const END = Buffer.of(NEW_LINE);

/**
 * Yields the lines of the backup's file, then those only the present one has, each unchanged and in order. No sent order
 * is lost: its intent keeps its state, and an unknown outcome is still reconciled.
 */
export function* mergedJournal(backup: string, present: string): Generator<Buffer> {
  // Usually one continues the other; then every byte is kept.
  if (beginsWith(present, backup)) {
    yield* piecesOf(present);
    return;
  }
  yield* piecesOf(backup);
  if (beginsWith(backup, present)) return;
  const known = new Set<string>();
  let last: Buffer = END;
  for (const line of linesIn(backup)) known.add(hashOf((last = line)));
  // The order of a cut last line may have been sent after it was copied.
  if (last.at(-1) !== NEW_LINE) yield END;
  for (const line of linesIn(present)) if (!line.equals(END) && !known.has(hashOf(line))) yield line;
}

/** Of a line without its end, which a cut one lacks. */
const hashOf = (line: Buffer): string =>
  createHash('sha256')
    .update(line.at(-1) === NEW_LINE ? line.subarray(0, -1) : line)
    .digest('base64');

function beginsWith(path: string, beginning: string): boolean {
  const pieces = piecesOf(path);
  for (const piece of piecesOf(beginning)) {
    const next = pieces.next();
    if (next.done === true || !next.value.subarray(0, piece.length).equals(piece)) {
      pieces.return(undefined);
      return false;
    }
  }
  pieces.return(undefined);
  return true;
}

/** Yields a file in pieces of equal length but for the last one; none if there is no file. */
function* piecesOf(path: string): Generator<Buffer> {
  if (!existsSync(path)) return;
  const file = openSync(path, 'r');
  try {
    const { size } = statSync(path);
    for (let at = 0; at < size;) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE, size - at));
      let filled = 0;
      while (filled < piece.length) {
        const count = readSync(file, piece, filled, piece.length - filled, at + filled);
        if (count === 0) return;
        filled += count;
      }
      at += filled;
      yield piece;
    }
  } finally {
    closeSync(file);
  }
}

/** Yields the lines of a file with their ends, which a cut last one lacks. */
function* linesIn(path: string): Generator<Buffer> {
  let begun: Buffer[] = [];
  for (const piece of piecesOf(path)) {
    let from = 0;
    for (let end = piece.indexOf(NEW_LINE); end !== -1; end = piece.indexOf(NEW_LINE, from)) {
      yield Buffer.concat([...begun, piece.subarray(from, end + 1)]);
      begun = [];
      from = end + 1;
    }
    if (from < piece.length) begun.push(piece.subarray(from));
  }
  if (begun.length > 0) yield Buffer.concat(begun);
}
