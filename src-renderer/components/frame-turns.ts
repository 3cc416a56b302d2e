/**
 * Texts written a frame. A new text costs its layout and paint, not its writing: 550 of them at once took 14–20 ms and
 * the frame after, 150 leave room for the rest of the window (bench render).
 */
const TEXTS_A_FRAME = 150;
/** Rows whose texts fit into the frame that shows what else has changed: a frame less a poll for a small account. */
const FEW_ROWS = 12;
/** In order of the requests; a repeated request keeps the row's turn. */
const waiting = new Set<() => number>();
let frameRequest = 0;

/** Writes a row in one of the next frames, with its text at that time. `write` returns how many texts it wrote. */
export function inTurn(write: () => number): void {
  waiting.add(write);
  if (frameRequest === 0) frameRequest = requestAnimationFrame(first);
}

/** Many rows leave this frame to what else has changed with them. */
function first(): void {
  if (waiting.size <= FEW_ROWS) turn();
  else frameRequest = requestAnimationFrame(turn);
}

function turn(): void {
  frameRequest = 0;
  let written = 0;
  for (const write of waiting) {
    waiting.delete(write);
    written += write();
    if (written >= TEXTS_A_FRAME) break;
  }
  if (waiting.size > 0) frameRequest = requestAnimationFrame(turn);
}
