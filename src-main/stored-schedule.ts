/** What is stored of a schedule: its settings, its folder and its last result, and whether that folder is there. */
import { stat } from 'node:fs/promises';
import { SerialQueue } from '../src-shared/serial-queue.ts';
import type { JsonFile } from './session/json-file.ts';

export class StoredSchedule<S extends { readonly folder: string | null }> {
  readonly #file: JsonFile<S>;
  readonly #changed: () => void;
  readonly #changes = new SerialQueue();
  #value: S;
  #isFolderMissing = false;

  /** @param none in use until the file is read; @param changed called after each change */
  constructor(file: JsonFile<S>, none: S, changed: () => void) {
    this.#file = file;
    this.#value = none;
    this.#changed = changed;
  }

  get value(): S {
    return this.#value;
  }
  get isFolderMissing(): boolean {
    return this.#isFolderMissing;
  }

  /** Rejects if the file cannot be read. */
  async load(): Promise<void> {
    this.#value = await this.#file.read();
  }
  /** Changes run one after another, each starting from what the one before left. Rejects if it cannot be written. */
  change(change: (value: S) => Partial<S>): Promise<void> {
    return this.#changes.run(async () => {
      const next = { ...this.#value, ...change(this.#value) };
      await this.#file.write(next);
      this.#value = next;
      this.#changed();
    });
  }
  /** Resolves when the changes requested so far are stored, or could not be. */
  settled(): Promise<void> {
    return this.#changes.idle();
  }
  /** Stores a result; if it cannot be written, as on a full disk, it lasts until the app quits. */
  async storeResult(part: Partial<S>): Promise<void> {
    try {
      await this.change(() => part);
    } catch {
      this.#value = { ...this.#value, ...part };
      this.#changed();
    }
  }
  /** Looks for the folder, apart from the state: a network folder may respond late, and no order may wait for it. */
  async findFolder(): Promise<void> {
    const { folder } = this.#value;
    this.#isFolderMissing = folder !== null && !(await isFolder(folder));
  }
}

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
};
