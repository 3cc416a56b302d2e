/**
 * Work on a schedule while the app is open, with its settings, its folder and its last result on disk. It checks once a
 * minute, never begins while an order is being sent, and tries a failed one again after an hour.
 */
import { stat } from 'node:fs/promises';
import * as v from 'valibot';
import { FAILURE_KINDS, type Failure, failureKind, type Result } from '../src-shared/ipc/failures.ts';
import { SerialQueue } from '../src-shared/serial-queue.ts';
import { HOUR_MS, type Clock, type Timers } from '../src-shared/time.ts';
import type { JsonFile } from './session/json-file.ts';

/** Delay of the first check after the start, when the first screens are loaded. */
export const FIRST_CHECK_MS = 10_000;
export const CHECK_MS = 60_000;
/** Delay before failed work is tried again. */
export const RETRY_MS = HOUR_MS;

/** A stored time, ms. */
export const timeSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** The last failure of a schedule, as stored; older versions wrote `denied`. */
export const failedSchema = v.nullable(
  v.object({
    at: timeSchema,
    failure: v.pipe(
      v.object({ kind: v.picklist([...FAILURE_KINDS, 'denied']), message: v.string(), next: v.string() }),
      v.transform((failure): Failure => ({ ...failure, kind: failureKind(failure.kind) })),
    ),
  }),
);

interface Stored {
  readonly schedule: object;
  readonly folder: string | null;
  readonly last: { readonly path: string } | null;
  readonly failed: object | null;
}

/** What the users of a schedule pass on to it. */
export interface SchedulePorts<S> {
  readonly file: JsonFile<S>;
  /** Asks for a folder in a dialog of the system; null if the user cancelled. */
  readonly folderPath: () => Promise<string | null>;
  readonly showFile: (path: string) => void;
  /** Reports whether orders are being sent. */
  readonly isSending: () => boolean;
  readonly notice: (message: string, next: string) => void;
  readonly clock: Clock;
  readonly timers: Timers;
}

interface ScheduledWork<S> {
  /** What it makes, for a message. */
  readonly what: 'backups' | 'exports';
  /** In use until the file is read. */
  readonly none: S;
  /** Removes what a crash left, before anything begins. */
  readonly tidy?: () => Promise<void>;
  /** When it is due, ms; null while it is off. */
  readonly dueAt: () => number | null;
  readonly mayBegin: () => boolean;
  /** Does it; null if it was cancelled. */
  readonly run: () => Promise<Result<unknown>>;
  /** Announces a streak of failures, once. */
  readonly announce: (failure: Failure) => void;
  /** Called when the stored state changed. */
  readonly changed: () => void;
}

export class Schedule<S extends Stored> {
  readonly #ports: SchedulePorts<S>;
  readonly #work: ScheduledWork<S>;
  readonly #changes = new SerialQueue();
  #loaded: Promise<void> = Promise.resolve();
  #value: S;
  #isFolderMissing = false;
  /** Whether the present streak of failures was announced. */
  #announced = false;
  /** When it may begin again after a failure or a cancel, ms. */
  #notBefore = 0;
  #stopped = false;

  constructor(ports: SchedulePorts<S>, work: ScheduledWork<S>) {
    this.#ports = ports;
    this.#work = work;
    this.#value = work.none;
  }

  /** Reads the file and starts checking for what is due. */
  begin(): void {
    this.#loaded = this.#load();
    this.#checkAfter(FIRST_CHECK_MS);
  }
  /** Nothing begins any more. */
  stop(): void {
    this.#stopped = true;
  }
  /** Resolves when the file is read. */
  get loaded(): Promise<void> {
    return this.#loaded;
  }
  get value(): S {
    return this.#value;
  }
  state(): Pick<S, keyof Stored> & { readonly isFolderMissing: boolean; readonly dueAt: number | null } {
    const { schedule, folder, last, failed } = this.#value;
    const isFolderMissing = this.#isFolderMissing;
    return { schedule, folder, last, failed, isFolderMissing, dueAt: this.#work.dueAt() };
  }
  /** Resolves when the file is read and the changes requested so far are in `value`. */
  async settled(): Promise<void> {
    await this.#loaded;
    await this.#changes.idle();
  }
  /** Changes run one after another, each starting from what the one before left. Rejects if it cannot be written. */
  change(change: (value: S) => Partial<S>): Promise<void> {
    return this.#changes.run(async () => {
      const next = { ...this.#value, ...change(this.#value) };
      await this.#ports.file.write(next);
      this.#value = next;
      this.#work.changed();
    });
  }
  /** Stores a result; if it cannot be written, as on a full disk, it lasts until the app quits. */
  async storeResult(part: Partial<S>): Promise<void> {
    try {
      await this.change(() => part);
    } catch {
      this.#value = { ...this.#value, ...part };
      this.#work.changed();
    }
  }
  /** Lets the user choose a folder; `stored` returns what changes with another one. */
  async chooseFolder(stored: (folder: string) => Partial<S>): Promise<void> {
    await this.#loaded;
    const folder = await this.#ports.folderPath();
    if (folder !== null && folder !== this.#value.folder) await this.change(() => stored(folder));
    await this.findFolder();
    this.#check();
  }
  /** Looks for the folder, apart from the state: a network folder may respond late, and no order may wait for it. */
  async findFolder(): Promise<void> {
    await this.#loaded;
    const { folder } = this.#value;
    this.#isFolderMissing = folder !== null && !(await isFolder(folder));
  }
  /** Shows the last file in its folder. */
  show(): void {
    const { last } = this.#value;
    if (last !== null) this.#ports.showFile(last.path);
  }
  /** Checks after a change of the schedule, which is a new try. */
  tryAgain(): void {
    this.#notBefore = 0;
    this.#check();
  }
  /** Records a success, also of work begun by hand. */
  succeeded(): void {
    this.#announced = false;
  }

  async #load(): Promise<void> {
    try {
      this.#value = await this.#ports.file.read();
      await this.#work.tidy?.();
    } catch {
      this.#ports.notice(
        `The schedule of ${this.#work.what} could not be read.`,
        'Allow reading and writing in the profile folder, then start Ballast again.',
      );
    }
  }
  /** Begins what is due. */
  #check(): void {
    const { dueAt, mayBegin, run, announce } = this.#work;
    const [due, now] = [dueAt(), this.#ports.clock.now()];
    if (this.#stopped || due === null || due > now || this.#ports.isSending() || !mayBegin()) return;
    // A clock that was ahead must not delay it for long.
    if (now < this.#notBefore && this.#notBefore <= now + RETRY_MS) return;
    void run().then((result) => {
      if (result.ok && result.data !== null) return;
      this.#notBefore = now + RETRY_MS;
      if (result.ok || this.#announced) return;
      this.#announced = true;
      announce(result.failure);
    });
  }
  #checkAfter(ms: number): void {
    this.#ports.timers.after(ms, () => {
      if (this.#stopped) return;
      this.#check();
      this.#checkAfter(CHECK_MS);
    });
  }
}

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
};
