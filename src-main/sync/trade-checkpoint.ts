/** Progress of the trade sync, stored in the archive in one transaction with its rows. */
import * as v from 'valibot';
import { checkedJson, integer } from '../../src-shared/checked-json.ts';
import type { Failure } from '../../src-shared/ipc/failures.ts';
import {
  nextSize,
  PAGE_SIZE,
  passSchema,
  type BackfillPass,
  type Verdict,
} from '../../src-shared/domain/history/trade-pages.ts';
import { counted } from '../../src-shared/domain/display/counted.ts';

/** As stored; `provenTo` and `walk` are the spellings on disk. */
const checkpointSchema = v.pipe(
  v.object({
    version: v.literal(1),
    provenTo: v.nullable(integer),
    /** Wall clock of that verification. */
    completedAt: v.nullable(integer),
    /** Stored trades older than the pass's window: verified before, not in the exchange's count of the window. */
    before: integer,
    /** What the exchange counts: `before` plus the newest window's total. */
    total: v.nullable(integer),
    /** Page size found to work, and the configured maximum it was found under; older checkpoints have only the first. */
    size: integer,
    largest: v.optional(integer),
    /** Passes over this window that verified nothing. */
    attempts: integer,
    walk: v.nullable(passSchema),
    /**
     * Whether a complete pass gave the beginning as its start. Older versions gave none, so that the exchange may have
     * listed its last days only: everything is read once more.
     */
    fromStart: v.optional(v.boolean()),
  }),
  v.transform(({ provenTo, walk, ...rest }) => ({
    ...rest,
    /** Every trade up to this tradeTime was verified; null before the first verification. */
    verifiedTo: provenTo,
    /** null between passes. */
    pass: walk,
  })),
);
export type Checkpoint = Readonly<v.InferOutput<typeof checkpointSchema>>;

export const FIRST_CHECKPOINT: Checkpoint = {
  version: 1,
  verifiedTo: null,
  completedAt: null,
  before: 0,
  total: null,
  size: PAGE_SIZE,
  attempts: 0,
  pass: null,
};

export const printCheckpoint = ({ verifiedTo, pass, ...rest }: Checkpoint): string =>
  JSON.stringify({ ...rest, provenTo: verifiedTo, walk: pass });

/**
 * Parses the stored checkpoint. An unreadable one (another version) starts over: reading every page again costs time,
 * trusting it could leave a gap.
 */
export const readCheckpoint = (text: string | null): Checkpoint =>
  (text === null ? null : checkedJson(checkpointSchema, text)) ?? FIRST_CHECKPOINT;

/** Applies the configured maximum page size. If it changed, the size found under the old one no longer counts. */
export function withMaxPageSize(checkpoint: Checkpoint, largest: number): Checkpoint {
  return (checkpoint.largest ?? PAGE_SIZE) === largest
    ? checkpoint
    : { ...checkpoint, largest, size: largest, pass: null };
}

/** Returns the checkpoint after a page, or after an edge page that does not exist. */
export const withProgress = (checkpoint: Checkpoint, pass: BackfillPass): Checkpoint => ({
  ...checkpoint,
  pass,
  total: pass.total === null ? checkpoint.total : checkpoint.before + (pass.movedTo ?? pass.total),
});

/** Returns the checkpoint after a finished pass, which verifies up to `verifiedTo` if complete. `now`: wall clock, ms. */
export const withVerdict = (
  checkpoint: Checkpoint,
  pass: BackfillPass,
  verdict: Verdict,
  { verifiedTo, now }: { readonly verifiedTo: number; readonly now: number },
): Checkpoint => ({
  ...checkpoint,
  pass: null,
  size: nextSize(pass, checkpoint.size),
  ...(verdict.kind === 'complete'
    ? { attempts: 0, verifiedTo, completedAt: now, fromStart: pass.from === null || checkpoint.fromStart }
    : { attempts: checkpoint.attempts + 1 }),
});

const unreadNote = (unreadable: number): string =>
  unreadable === 0 ? '' : ` and ${counted(unreadable, 'more record')} that cannot be read`;

/** `field` of a failure that comes of a count of trades, and of no read. */
export const COUNT_FIELD = 'total';
/** Returns why a finished pass verifies nothing. */
export function unverifiedFailure(verdict: Exclude<Verdict, { kind: 'complete' }>): Failure {
  return {
    kind: 'server',
    field: COUNT_FIELD,
    message:
      verdict.kind === 'moved'
        ? `The exchange’s count of trades changed from ${verdict.from} to ${verdict.to} while its pages were read.`
        : `The exchange counts ${counted(verdict.total, 'trade')}, but its pages listed ${verdict.seen}${unreadNote(verdict.unreadable)}.`,
    next: 'What was read is stored but not verified. Ballast reads the pages again automatically.',
  };
}
