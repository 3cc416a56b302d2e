import { untrack } from 'svelte';

/** An entry of the palette. */
export interface Command {
  readonly id: string;
  readonly title: string;
  /** Shown at the right of the entry. */
  readonly note?: string;
  /** More search terms; matches of the title come first. */
  readonly keywords?: string;
  readonly keys?: string;
  /** Of a contract with a position or an order: comes before what matches a query equally well. */
  readonly held?: boolean;
  readonly run: () => void;
}

/** The commands of the palette. A feature registers its own while it is shown. */
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
