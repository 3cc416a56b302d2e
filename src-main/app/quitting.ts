/**
 * Quitting: warned about once where something would be left open, then everything that is on its way gets its answer
 * into the journal before the app ends. A second attempt while the question stands is an answer to it.
 */
import { app } from 'electron';

/** What quitting now would leave behind, counted. */
export interface LeftOpen {
  readonly unknown: number;
  /** Orders on their way: waited for, so nothing is asked about them. */
  readonly sending: number;
  readonly batches: number;
  readonly exports: number;
}

export interface QuitPorts {
  readonly leftOpen: () => LeftOpen;
  /** Asks; true to quit. Rejects where nobody can be asked, and then quitting goes on. */
  readonly ask: (detail: string) => Promise<boolean>;
  /** Ends what runs, in order. */
  readonly drain: () => Promise<void>;
}

export interface Quitting {
  /** Whether windows may close: the rest has ended. */
  isDone(): boolean;
}

export function createQuitting(ports: QuitPorts): Quitting {
  let asking = false;
  let draining = false;
  let done = false;

  function drain(): void {
    if (draining) return;
    draining = true;
    void ports.drain().finally(() => {
      done = true;
      app.quit();
    });
  }
  async function ask(detail: string): Promise<void> {
    asking = true;
    let quit = true;
    try {
      quit = await ports.ask(detail);
    } catch {
      // Nobody to ask: the journal has all of it, and the next start looks for what is unknown.
    }
    asking = false;
    if (quit) drain();
  }

  app.on('before-quit', (event) => {
    if (done) return;
    event.preventDefault();
    const detail = leftOpenWords(ports.leftOpen());
    if (asking || detail === null) drain();
    else void ask(detail);
  });

  return { isDone: () => done };
}

/** Null when nothing is left open. */
function leftOpenWords({ unknown, batches, exports }: LeftOpen): string | null {
  const lines = [
    unknown === 0
      ? null
      : `The outcome of ${unknown === 1 ? 'an order is' : `${unknown} orders is`} unknown: it may or may not be placed. Ballast looks for it again at the next start, not before.`,
    batches === 0
      ? null
      : 'A batch is being sent. The call on its way is waited for; rows after it are not sent.',
    exports === 0
      ? null
      : `${exports === 1 ? 'A file is' : `${exports} files are`} being written or read. It is cancelled; a file that stood there before stays as it was.`,
  ].filter((line) => line !== null);
  return lines.length === 0 ? null : lines.join('\n\n');
}
