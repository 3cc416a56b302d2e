/** Longest wait, ms: enough for a frame on a slow machine, short enough to go unnoticed. */
const PATIENCE_MS = 500;

/** Runs `run` when the browser is idle. Returns the function that cancels it. */
export function whenIdle(run: () => void): () => void {
  const handle = requestIdleCallback(run, { timeout: PATIENCE_MS });
  return () => cancelIdleCallback(handle);
}
