/**
 * The log: one line of JSON an event, fields chosen by the caller, never an error object (a library's may carry the
 * key). Every text passes a redaction of the secrets in use at that moment, as a second wall: a mask is itself a copy
 * of its secret, so it goes when the secret goes.
 */
// eslint-disable-next-line no-restricted-syntax -- nothing waits here: a log that is held is moved at a later write
import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;
export interface Log {
  write(event: string, fields?: LogFields): void;
  /** From now on these texts are masked wherever they would appear, until the returned function is called. */
  redact(secrets: readonly string[]): () => void;
  /** A text as the log would write it. */
  mask(text: string): string;
  /** The newest lines, oldest first. */
  tail(lines: number): readonly string[];
}

const MAX_BYTES = 2_000_000;
const SHORTEST_SECRET = 6;

/** One older file is kept. A log that cannot be written is no reason to stop: the window shows failures itself. */
export function createLog(path: string, clock: { now(): number }): Log {
  /** One entry a holder of secrets; two may hold the same. */
  const masks = new Map<symbol, readonly string[]>();
  const mask = (text: string): string => {
    let masked = text;
    for (const secret of [...masks.values()].flat()) masked = masked.replaceAll(secret, '[redacted]');
    return masked;
  };
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const rotate = (): void => {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(path, `${path}.1`);
  };
  const linesOf = (file: string): string[] => {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return [];
    return readFileSync(file, 'utf8').split('\n').slice(0, -1);
  };
  return {
    mask,
    // Masked again: what was written before a secret was known may have it.
    tail: (lines) => [...linesOf(`${path}.1`), ...linesOf(path)].slice(-lines).map(mask),
    redact(secrets) {
      const long = secrets.filter((one) => one.length >= SHORTEST_SECRET);
      // As a line of JSON writes it, too: quotes and backslashes of a secret are escaped there.
      const own = [...new Set(long.flatMap((one) => [one, JSON.stringify(one).slice(1, -1)]))];
      // Not the texts themselves: whoever keeps the function would keep them.
      const holder = Symbol();
      masks.set(holder, own);
      return () => void masks.delete(holder);
    },
    write(event, fields = {}) {
      const line = mask(JSON.stringify({ at: new Date(clock.now()).toISOString(), event, ...fields }));
      for (const step of [rotate, () => appendFileSync(path, `${line}\n`, { mode: 0o600 })]) {
        try {
          step();
        } catch (error) {
          process.stderr.write(`log: ${error instanceof Error ? error.name : 'error'}\n`);
        }
      }
    },
  };
}
