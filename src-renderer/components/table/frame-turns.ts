/**
 * Most texts written per frame. What costs is their layout and paint: 550 at once took 14–20 ms of the frame and of the
 * next, 150 leave space for the rest of the window (bench render).
 */
const TEXTS_A_FRAME = 150;
/**
 * Up to this many rows are written in the frame that shows the poll's other changes, which saves a small account a
 * frame per poll.
 */
const FEW_ROWS = 12;
/** Rows to write, in the order of the requests; a repeated request keeps its place. */
const waiting = new Set<() => number>();
let frameRequest = 0;

/** Writes a row in one of the next frames, with its text at that time. `write` returns how many texts it wrote. */
export function inTurn(write: () => number): void {
  waiting.add(write);
  if (frameRequest === 0) frameRequest = requestAnimationFrame(first);
}

/** Leaves this frame to the poll's other changes if many rows are waiting. */
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
