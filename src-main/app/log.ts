/**
 * The log: one line of JSON an event, fields chosen by the caller, never an error object (a library's may carry the
 * key). Every text passes a redaction of the secrets known at that moment, as a second wall.
 */
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;
export interface Log {
  write(event: string, fields?: LogFields): void;
  /** From now on this text is masked wherever it would appear. */
  redact(secret: string): void;
}

const MAX_BYTES = 2_000_000;
const SHORTEST_SECRET = 6;

/** One older file is kept. A log that cannot be written is no reason to stop: the window shows failures itself. */
export function createLog(path: string, clock: { now(): number }): Log {
  const secrets = new Set<string>();
  const mask = (text: string): string => {
    let masked = text;
    for (const secret of secrets) masked = masked.replaceAll(secret, '[redacted]');
    return masked;
  };
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return {
    redact(secret) {
      if (secret.length >= SHORTEST_SECRET) secrets.add(secret);
    },
    write(event, fields = {}) {
      const line = mask(JSON.stringify({ at: new Date(clock.now()).toISOString(), event, ...fields }));
      try {
        if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(path, `${path}.1`);
        appendFileSync(path, `${line}\n`, { mode: 0o600 });
      } catch (error) {
        process.stderr.write(`log: ${error instanceof Error ? error.name : 'error'}\n`);
      }
    },
  };
}
