/** How fast a store grows, from the last seconds only: a pause or a slow page soon no longer counts. */
const SPAN_MS = 10_000;
const LEAST_MS = 500;

export interface Pace {
  note(stored: number, at: number): void;
  /** Rows a second; null while nothing was added lately or too little time has passed. */
  rate(): number | null;
}

export function createPace(): Pace {
  let seen: { readonly stored: number; readonly at: number }[] = [];
  return {
    note(stored, at) {
      const last = seen.at(-1);
      // The clock was set back, or the archive is another one.
      if (last !== undefined && (at < last.at || stored < last.stored)) seen = [];
      seen = [...seen.filter((one) => at - one.at <= SPAN_MS), { stored, at }];
    },
    rate() {
      const [first] = seen;
      const last = seen.at(-1);
      if (first === undefined || last === undefined || last.at - first.at < LEAST_MS) return null;
      return last.stored === first.stored
        ? null
        : ((last.stored - first.stored) * 1000) / (last.at - first.at);
    },
  };
}
