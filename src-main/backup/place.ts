/**
 * Replaces the profile's files by the staged ones, at a start and before anything is opened. A plan on disk names the
 * phase; each phase consists of renames that can be repeated, so the start after a crash resumes it. The replaced files
 * are kept in a folder of their own.
 */
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as v from 'valibot';
import { replaceFileSync, replaceInPiecesSync } from '../../src-files/atomic-file.ts';
import { errorCode } from '../../src-files/error-code.ts';
import { remove, removeSync } from '../../src-files/remove.ts';
import { renameSync } from '../../src-files/rename.ts';
import { syncFolderSync } from '../../src-files/sync-folder.ts';
import { unusedName } from '../../src-files/unused-name.ts';
import { parseJsonOrNull } from '../../src-shared/json.ts';
import { mergeReadableNotes } from '../archive/notes/merge.ts';
import { filesToBackUp, filesToReplace, isArchive, JOURNAL } from './contents.ts';
import { mergedJournal } from './merged-journal.ts';

const RESTORE = 'restore';
const MERGED = 'merged-orders.jsonl';

/** The folder where a backup is staged. */
export const stagedFolder = (profile: string): string => join(profile, RESTORE, 'files');
const planPath = (profile: string): string => join(profile, RESTORE, 'plan.json');

const planSchema = v.strictObject({
  /** `merge` the journals and the archives' notes, move the present files `aside`, `place` the staged ones. */
  phase: v.picklist(['merge', 'aside', 'place']),
  /** Name of the folder in the profile for the replaced files. */
  aside: v.pipe(v.string(), v.regex(/^before-restore-[\dTZ-]+$/)),
  /** Name of the backup. */
  file: v.string(),
});
type Plan = v.InferOutput<typeof planSchema>;

export type Restored = Pick<Plan, 'file' | 'aside'>;

/** A restore that could not be finished. The profile must not be opened before it is. */
export class RestoreInterrupted extends Error {
  override readonly name = 'RestoreInterrupted';
  readonly code: string;
  constructor(error: unknown) {
    super('a restore could not be finished');
    this.code = errorCode(error) || 'unknown';
  }
}

/** Plans the restore of the staged files at the next start. `now`: wall clock, ms. If it throws, nothing is planned. */
export function planRestore(profile: string, file: string, now: number): void {
  const aside = basename(unusedName(join(profile, 'before-restore'), now));
  try {
    write(profile, { phase: 'merge', aside, file });
  } catch (error) {
    removeSync(planPath(profile));
    throw error;
  }
}

/** Deletes the plan and the staged files, which may be large. The plan first: it needs the files. */
export async function discardRestore(profile: string): Promise<void> {
  await remove(planPath(profile));
  await remove(join(profile, RESTORE), { recursive: true });
}

/** Does the same synchronously, at a start and in the thread that stages. */
export function discardRestoreSync(profile: string): void {
  removeSync(planPath(profile));
  removeSync(join(profile, RESTORE), { recursive: true });
}

/**
 * Runs or resumes the planned restore and returns it; null if none is planned. `step` is called after each step, for
 * tests. Throws RestoreInterrupted, after which the next start can resume.
 */
export function placeRestored(profile: string, step: () => void = () => undefined): Restored | null {
  try {
    const plan = read(profile);
    if (plan !== null) new Placing(profile, plan, step).run();
    // Also deletes what was staged but never confirmed.
    if (existsSync(join(profile, RESTORE))) discardRestoreSync(profile);
    return plan;
  } catch (error) {
    throw new RestoreInterrupted(error);
  }
}

class Placing {
  readonly #profile: string;
  readonly #step: () => void;
  #plan: Plan;

  constructor(profile: string, plan: Plan, step: () => void) {
    this.#profile = profile;
    this.#plan = plan;
    this.#step = step;
  }

  run(): void {
    if (this.#plan.phase === 'merge') this.#merge();
    if (this.#plan.phase === 'aside') this.#moveAside();
    this.#place();
  }

  /** Writes the merged journal to a file of its own, so that a repetition merges the same two. */
  #merge(): void {
    this.#mergeNotes();
    const [staged, present] = [join(stagedFolder(this.#profile), JOURNAL), join(this.#profile, JOURNAL)];
    // An empty one would look like a journal that lost its orders.
    if ([staged, present].some((one) => (statSync(one, { throwIfNoEntry: false })?.size ?? 0) > 0))
      replaceInPiecesSync(join(this.#profile, RESTORE, MERGED), mergedJournal(staged, present));
    this.#step();
    this.#enter('aside');
  }

  /** Notes are in no other place, so what was written since the backup stays. */
  #mergeNotes(): void {
    for (const name of filesToBackUp(stagedFolder(this.#profile)).filter(isArchive)) {
      const [staged, present] = [join(stagedFolder(this.#profile), name), join(this.#profile, name)];
      if (existsSync(present)) mergeReadableNotes(staged, present);
      this.#step();
    }
  }

  #moveAside(): void {
    const restored = filesToBackUp(stagedFolder(this.#profile));
    for (const name of filesToReplace(this.#profile, restored))
      this.#move(join(this.#profile, name), join(this.#profile, this.#plan.aside, name));
    this.#enter('place');
  }

  #place(): void {
    const staged = stagedFolder(this.#profile);
    const merged = join(this.#profile, RESTORE, MERGED);
    if (existsSync(merged)) this.#move(merged, join(this.#profile, JOURNAL));
    for (const name of filesToBackUp(staged))
      if (name !== JOURNAL) this.#move(join(staged, name), join(this.#profile, name));
    // From here on the restore is done.
    removeSync(planPath(this.#profile));
    syncFolderSync(join(this.#profile, RESTORE));
    this.#step();
  }

  #enter(phase: Plan['phase']): void {
    this.#plan = { ...this.#plan, phase };
    write(this.#profile, this.#plan);
    this.#step();
  }

  #move(from: string, to: string): void {
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    renameSync(from, to);
    syncFolderSync(dirname(to));
    syncFolderSync(dirname(from));
    this.#step();
  }
}

function read(profile: string): Plan | null {
  const path = planPath(profile);
  return existsSync(path) ? v.parse(planSchema, parseJsonOrNull(readFileSync(path, 'utf8'))) : null;
}

function write(profile: string, plan: Plan): void {
  mkdirSync(join(profile, RESTORE), { recursive: true, mode: 0o700 });
  replaceFileSync(planPath(profile), Buffer.from(`${JSON.stringify(plan)}\n`));
  syncFolderSync(join(profile, RESTORE));
}

/** Returns the notice of the first start after a restore. */
export const restoredText = ({ file, aside }: Restored): [message: string, next: string] => [
  `Everything in “${file}” was restored. Trading is locked until you unlock it.`,
  `Orders sent after that backup may be missing here: check open orders and positions first. Enter secrets that are missing in Settings › Connections. The files from before are in ${aside} in the profile folder.`,
];
