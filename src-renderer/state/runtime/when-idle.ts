/** Long enough for a drawing on a slow machine, short enough to go unnoticed. */
const PATIENCE_MS = 500;

/** Runs it when what can be drawn is drawn. Answers the function that calls it off. */
export function whenIdle(run: () => void): () => void {
  const handle = requestIdleCallback(run, { timeout: PATIENCE_MS });
  return () => cancelIdleCallback(handle);
}
