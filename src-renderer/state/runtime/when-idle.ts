/** `run` is called after this long even if the browser is busy: long enough for a frame on a slow machine. */
const MAX_WAIT_MS = 500;

/** Runs `run` when the browser is idle. Returns the function that cancels it. */
export function whenIdle(run: () => void): () => void {
  const handle = requestIdleCallback(run, { timeout: MAX_WAIT_MS });
  return () => cancelIdleCallback(handle);
}
