/**
 * Writes the log: one JSON line per event with fields chosen by the caller, never an error object, which may contain
 * the key. Every text is also masked with the secrets in use; a mask is dropped with its secret.
 */
// oxlint-disable-next-line ballast/no-restricted-syntax -- a log that is locked is rotated at a later write
import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../src-shared/time.ts';
import { errorName } from '../../src-files/error-code.ts';

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;
export type Log = ReturnType<typeof createLog>;

const MAX_BYTES = 2_000_000;
const SHORTEST_SECRET = 6;

/** Opens a log with one older file. A failing write is ignored: the window reports failures itself. */
export function createLog(path: string, clock: Clock) {
  /** Masks by holder; two holders may have the same secret. */
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
    /** Returns a text as the log would write it. */
    mask,
    /** Returns the newest lines, oldest first. Masked again: one may contain a secret that became known later. */
    tail: (lines: number) => [...linesOf(`${path}.1`), ...linesOf(path)].slice(-lines).map(mask),
    /** Masks these texts in the log until the returned function is called. */
    redact(secrets: readonly string[]) {
      const long = secrets.filter((one) => one.length >= SHORTEST_SECRET);
      // Also in JSON form, where quotes and backslashes are escaped.
      const own = [...new Set(long.flatMap((one) => [one, JSON.stringify(one).slice(1, -1)]))];
      // A symbol, so that whoever holds the function does not hold the secrets.
      const holder = Symbol();
      masks.set(holder, own);
      return () => void masks.delete(holder);
    },
    write(event: string, fields: LogFields = {}): void {
      const line = mask(JSON.stringify({ at: new Date(clock.now()).toISOString(), event, ...fields }));
      for (const step of [rotate, () => appendFileSync(path, `${line}\n`, { mode: 0o600 })]) {
        try {
          step();
        } catch (error) {
          process.stderr.write(`log: ${errorName(error)}\n`);
        }
      }
    },
  };
}
