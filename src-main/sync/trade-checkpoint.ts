/** Where the trade sync is, as the archive keeps it beside the rows it speaks of. */
import * as v from 'valibot';
import type { Failure } from '../../src-shared/ipc/failures.ts';
import {
  nextSize,
  PAGE_SIZE,
  walkSchema,
  type Verdict,
  type Walk,
} from '../../src-shared/domain/history/trade-pages.ts';

const integer = v.pipe(v.number(), v.safeInteger());

const checkpointSchema = v.object({
  version: v.literal(1),
  /** Everything up to this tradeTime was proven complete; null before the first proof. */
  provenTo: v.nullable(integer),
  /** Wall clock of that proof. */
  completedAt: v.nullable(integer),
  /** Stored trades older than the window of the walk: proven before, not counted by the exchange again. */
  before: integer,
  /** What the exchange counts: `before` and the newest window's total. */
  total: v.nullable(integer),
  /** Page size learned, and the largest that was to be asked for then; older ones have only the first. */
  size: integer,
  largest: v.optional(integer),
  /** Walks over this window that proved nothing. */
  attempts: integer,
  /** null between walks. */
  walk: v.nullable(walkSchema),
});
export type Checkpoint = v.InferOutput<typeof checkpointSchema>;

export const FIRST_CHECKPOINT: Checkpoint = {
  version: 1,
  provenTo: null,
  completedAt: null,
  before: 0,
  total: null,
  size: PAGE_SIZE,
  attempts: 0,
  walk: null,
};

export const printCheckpoint = (checkpoint: Checkpoint): string => JSON.stringify(checkpoint);

/**
 * The checkpoint last written. One that cannot be read (of another version) starts over: reading every page again
 * costs time, trusting it could leave a gap.
 */
export function readCheckpoint(text: string | null): Checkpoint {
  if (text === null) return FIRST_CHECKPOINT;
  try {
    const parsed = v.safeParse(checkpointSchema, JSON.parse(text));
    return parsed.success ? parsed.output : FIRST_CHECKPOINT;
  } catch (error) {
    if (error instanceof SyntaxError) return FIRST_CHECKPOINT;
    throw error;
  }
}

/** With the largest page size to ask for as it is set now: where it was another, what was learned of it is over. */
export function withLargest(checkpoint: Checkpoint, largest: number): Checkpoint {
  return (checkpoint.largest ?? PAGE_SIZE) === largest
    ? checkpoint
    : { ...checkpoint, largest, size: largest, walk: null };
}

/** After a page, or an edge page that was not there. */
export const advanced = (checkpoint: Checkpoint, walk: Walk): Checkpoint => ({
  ...checkpoint,
  walk,
  total: walk.total === null ? checkpoint.total : checkpoint.before + (walk.movedTo ?? walk.total),
});

/** After a walk that is over. `now`: wall clock. */
export const judged = (checkpoint: Checkpoint, walk: Walk, verdict: Verdict, now: number): Checkpoint => ({
  ...checkpoint,
  walk: null,
  size: nextSize(walk),
  ...(verdict.kind === 'complete'
    ? { attempts: 0, provenTo: walk.to, completedAt: now }
    : { attempts: checkpoint.attempts + 1 }),
});

/** What nobody foresaw, told by its own short message. */
export const brokenOff = (what: 'trade' | 'order', error: unknown): Failure => ({
  kind: 'bug',
  message: `The ${what} sync stopped: ${error instanceof Error ? error.message.slice(0, 200) : 'unknown error'}.`,
  next: 'It tries again by itself. Please report this line.',
});

const besides = (setAside: number): string =>
  setAside === 0 ? '' : ` and ${setAside} more ${setAside === 1 ? 'record' : 'records'} that cannot be read`;

/** Why nothing is called complete. */
export function unproven(verdict: Exclude<Verdict, { kind: 'complete' }>): Failure {
  return {
    kind: 'server',
    message:
      verdict.kind === 'moved'
        ? `The exchange's count of trades changed from ${verdict.from} to ${verdict.to} while its pages were read.`
        : `The exchange counts ${verdict.total} trades, but its pages listed ${verdict.seen}${besides(verdict.setAside)}.`,
    next: 'What was read is kept, but not called complete. Ballast reads the pages again by itself.',
  };
}
