export interface Waiting<T> {
  pass(value: T): void;
  /** Delivers what waits, in order, and later values at once. */
  ready(): void;
}

/** Holds values back until there is someone to deliver them to. */
export function untilReady<T>(deliver: (value: T) => unknown): Waiting<T> {
  let waiting: T[] | null = [];
  return {
    pass(value) {
      if (waiting === null) deliver(value);
      else waiting.push(value);
    },
    ready() {
      const held = waiting ?? [];
      waiting = null;
      for (const value of held) deliver(value);
    },
  };
}
