/**
 * Coordinates quitting: asks once if something would be left open, then waits until every pending request is recorded
 * in the journal. A second attempt during the question confirms it.
 */
import { app } from 'electron';

/** Counts of what quitting would leave open. */
export interface LeftOpen {
  readonly unknown: number;
  /** Orders being sent. Quitting waits for them without asking. */
  readonly sending: number;
  readonly batches: number;
  /** Whether one of the batches closes positions. */
  readonly closing: boolean;
  readonly exports: number;
}

export interface QuitPorts {
  readonly leftOpen: () => LeftOpen;
  /** Asks the user; true to quit. If it rejects, quitting continues. */
  readonly ask: (detail: string) => Promise<boolean>;
  /** Shuts everything down, in order. */
  readonly drain: () => Promise<void>;
}

export interface Quitting {
  /** Reports whether windows may close because shutdown is complete. */
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
      // No dialog could be shown. The journal has everything, and the next start reconciles unknown outcomes.
    }
    asking = false;
    if (quit) drain();
  }

  app.on('before-quit', (event) => {
    if (done) return;
    event.preventDefault();
    const detail = leftOpenText(ports.leftOpen());
    if (asking || detail === null) drain();
    else void ask(detail);
  });

  return { isDone: () => done };
}

/** Returns the text of the question, or null when nothing is left open. */
function leftOpenText({ unknown, batches, closing, exports }: LeftOpen): string | null {
  const lines = [
    unknown === 0
      ? null
      : `The outcome of ${unknown === 1 ? 'an order is' : `${unknown} orders is`} unknown: it may or may not have been placed. Ballast resumes searching at the next start.`,
    batches === 0
      ? null
      : closing
        ? 'Positions are being closed. The current order is completed; the remaining ones are not sent.'
        : 'A batch is being sent. The current request is completed; the remaining rows are not sent.',
    exports === 0
      ? null
      : `${exports === 1 ? 'A file is' : `${exports} files are`} being exported or imported. This is cancelled; existing files are not changed.`,
  ].filter((line) => line !== null);
  return lines.length === 0 ? null : lines.join('\n\n');
}
