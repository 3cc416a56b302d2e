import { untrack } from 'svelte';

/** The commands of the palette. A feature registers its own while it is shown. */
export interface Command {
  readonly id: string;
  readonly title: string;
  /** Right-hand note. */
  readonly note?: string;
  /** Found by these too, after what is found by its title. */
  readonly words?: string;
  readonly keys?: string;
  readonly run: () => void;
}

export class Commands {
  #sources = $state.raw<readonly (() => readonly Command[])[]>([]);

  readonly list: readonly Command[] = $derived(this.#sources.flatMap((source) => source()));

  /** Registers a source, re-read when its state changes. Returns the function that removes it. */
  register(source: () => readonly Command[]): () => void {
    // Untracked: an effect that registers must not run again because it registered.
    this.#sources = [...untrack(() => this.#sources), source];
    return () => {
      this.#sources = untrack(() => this.#sources).filter((one) => one !== source);
    };
  }
}
