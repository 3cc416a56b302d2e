// Makes messages late, as on a machine whose processes wait for each other: a test or the app may take the order of
// replies and events for granted.
import { setTimeout as wait } from 'node:timers/promises';

/** At most so many ms; 0 delays nothing. */
const MOST_MS = Number(process.env.BALLAST_STANDIN_LATE ?? 0);

/** Messages of one direction: each passes at a random time, and none before the one ahead of it. */
export class LateLine {
  #last = Promise.resolve();
  #mostMs;

  constructor(mostMs = MOST_MS) {
    this.#mostMs = mostMs;
  }

  pass(act) {
    if (this.#mostMs === 0) {
      act();
      return;
    }
    const due = performance.now() + Math.random() * this.#mostMs;
    this.#last = this.#last.then(() => wait(Math.max(0, due - performance.now()))).then(act);
  }
}
