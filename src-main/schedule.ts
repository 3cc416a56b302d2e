/**
 * Work on a schedule while the app is open, with its settings, its folder and its last result on disk. It checks once a
 * minute, never begins while an order is being sent, and tries a failed one again after an hour.
 */
import { stat } from 'node:fs/promises';
import * as v from 'valibot';
import type { ScheduleState } from '../src-shared/ipc/backup.ts';
import { ms } from '../src-shared/ipc/call.ts';
import { done, FAILURE_KINDS, type Failure, failureKind, type Result } from '../src-shared/ipc/failures.ts';
import { SerialQueue } from '../src-shared/serial-queue.ts';
import { HOUR_MS, type Clock, type Timers } from '../src-shared/time.ts';
import type { JsonFile } from './session/json-file.ts';

/** Delay of the first check after the start, when the first screens are loaded. */
export const FIRST_CHECK_MS = 10_000;
export const CHECK_MS = 60_000;
/** Delay before failed work is tried again. */
export const RETRY_MS = HOUR_MS;

/** The last failure of a schedule, as stored; older versions wrote `denied`. */
export const failedSchema = v.nullable(
  v.object({
    at: ms,
    failure: v.pipe(
      v.object({ kind: v.picklist([...FAILURE_KINDS, 'denied']), message: v.string(), next: v.string() }),
      v.transform((failure): Failure => ({ ...failure, kind: failureKind(failure.kind) })),
    ),
  }),
);

/** Returns what is stored of a failure. */
export const failedAt = (at: number, { kind, message, next }: Failure): Stored['failed'] => ({
  at,
  failure: { kind, message, next },
});

type Stored = Omit<ScheduleState<object, { readonly path: string }>, 'isFolderMissing' | 'dueAt'>;

/** What the window shows of a schedule; `working` is what is being done. */
type Shown<S extends Stored, W> = ScheduleState<S['schedule'], NonNullable<S['last']>> & {
  readonly working: W | null;
};

export interface SchedulePorts<S extends Stored, W> {
  readonly file: JsonFile<S>;
  /** Asks for a folder in a dialog of the system; null if the user cancelled. */
  readonly folderPath: () => Promise<string | null>;
  readonly showFile: (path: string) => void;
  /** Reports whether orders are being sent. */
  readonly isSending: () => boolean;
  readonly notice: (message: string, next: string) => void;
  readonly changed: (state: Shown<S, W>) => void;
  readonly clock: Clock;
  readonly timers: Timers;
}

export abstract class Schedule<S extends Stored, W, P extends SchedulePorts<S, W>> {
  protected readonly ports: P;
  readonly #texts: { readonly what: string; readonly failed: string };
  readonly #changes = new SerialQueue();
  /** Resolves when the file is read. */
  protected loaded: Promise<void> = Promise.resolve();
  #value: S;
  #isFolderMissing = false;
  /** Whether a notice of the present streak of failures was shown. */
  #isFailureShown = false;
  /** When it may begin again after a failure or a cancel, ms. */
  #notBefore = 0;
  #stopped = false;

  /** `none` is in use until the file is read. `texts`: what it makes, and what a notice of a failure begins with. */
  constructor(ports: P, none: S, texts: { readonly what: string; readonly failed: string }) {
    this.ports = ports;
    this.#value = none;
    this.#texts = texts;
  }

  protected abstract working(): W | null;
  /** When it is due, ms; null while it is off. */
  protected abstract dueAt(): number | null;
  protected abstract mayBegin(): boolean;
  /** Does what is due; null if it was cancelled. */
  protected abstract runDue(): Promise<Result<unknown>>;
  /** Returns what is stored of another folder. */
  protected abstract folderChange(folder: string): Partial<S>;
  /** Cancels what is running; resolves when nothing is any more. */
  abstract cancel(): Promise<void>;
  /** Removes what a crash left, before anything begins. */
  protected async tidy(): Promise<void> {}

  /** Reads the file and starts checking for what is due. */
  begin(): void {
    this.loaded = this.#load();
    this.#checkAfter(FIRST_CHECK_MS);
  }
  /** Cancels what is running; nothing begins any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.cancel();
  }
  async get(): Promise<Result<Shown<S, W>>> {
    await this.findFolder();
    return done(this.state());
  }
  async chooseFolder(): Promise<Result<Shown<S, W>>> {
    await this.loaded;
    const folder = await this.ports.folderPath();
    if (folder !== null && folder !== this.#value.folder) await this.change(() => this.folderChange(folder));
    await this.findFolder();
    this.#check();
    return done(this.state());
  }
  /** Shows the last file in its folder. */
  show(): void {
    const { last } = this.#value;
    if (last !== null) this.ports.showFile(last.path);
  }

  protected get value(): S {
    return this.#value;
  }
  protected state(): Shown<S, W> {
    const { schedule, folder, last, failed } = this.#value;
    const isFolderMissing = this.#isFolderMissing;
    return {
      schedule,
      folder,
      last,
      failed,
      isFolderMissing,
      dueAt: this.dueAt(),
      working: this.working(),
    };
  }
  protected announce(): void {
    this.ports.changed(this.state());
  }
  /** Resolves when the file is read and the changes requested so far are in `value`. */
  protected async settled(): Promise<void> {
    await this.loaded;
    await this.#changes.idle();
  }
  /** Changes run one after another, each starting from what the one before left. Rejects if it cannot be written. */
  protected change(change: (value: S) => Partial<S>): Promise<void> {
    return this.#changes.run(async () => {
      const next = { ...this.#value, ...change(this.#value) };
      await this.ports.file.write(next);
      this.#value = next;
      this.announce();
    });
  }
  /**
   * Stores a result; `result` gets the value as it is by then. If it cannot be written, as on a full disk, it lasts until
   * the app quits.
   */
  protected async storeResult(result: (value: S) => Partial<S>): Promise<void> {
    try {
      await this.change(result);
    } catch {
      this.#value = { ...this.#value, ...result(this.#value) };
      this.announce();
    }
  }
  /** Looks for the folder, apart from the state: a network folder may respond late, and no order may wait for it. */
  protected async findFolder(): Promise<void> {
    await this.loaded;
    const { folder } = this.#value;
    this.#isFolderMissing = folder !== null && !(await isFolder(folder));
  }
  /** Checks after a change of the schedule, which is a new try. */
  protected tryAgain(): void {
    this.#notBefore = 0;
    this.#check();
  }
  /** Records a success, also of work started manually. */
  protected succeeded(): void {
    this.#isFailureShown = false;
  }

  async #load(): Promise<void> {
    try {
      this.#value = await this.ports.file.read();
      await this.tidy();
    } catch {
      this.ports.notice(
        `The schedule of ${this.#texts.what} could not be read.`,
        'Allow reading and writing in the profile folder, then start Ballast again.',
      );
    }
  }
  /** Begins what is due. */
  #check(): void {
    const [due, now] = [this.dueAt(), this.ports.clock.now()];
    if (this.#stopped || due === null || due > now || this.ports.isSending() || !this.mayBegin()) return;
    // A clock that was ahead must not delay it for long.
    if (now < this.#notBefore && this.#notBefore <= now + RETRY_MS) return;
    void this.runDue().then((result) => {
      if (result.ok && result.data !== null) return;
      this.#notBefore = now + RETRY_MS;
      if (result.ok || this.#isFailureShown) return;
      this.#isFailureShown = true;
      const { message, next } = result.failure;
      this.ports.notice(`${this.#texts.failed}${message}`, `${next} See Settings › Data.`);
    });
  }
  #checkAfter(ms: number): void {
    this.ports.timers.after(ms, () => {
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
