/** Turns the system's signals into one that interrupts an export, which then leaves whole files. */
export function interruption(): AbortSignal {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort());
  return ending.signal;
}
