/**
 * Coordinates quitting: asks once if something would be left unfinished or a note is not saved, stops what is running,
 * and waits until the outcome of every order being sent is in the journal.
 */
import { app, type BrowserWindow } from 'electron';
import { TIMEOUTS } from '../exchange/transport.ts';
import type { OrderService, UnfinishedOrders } from '../orders/order-service.ts';
import type { InFlight } from '../orders/send/in-flight.ts';
import type { LiveConnection } from '../session/live-connection.ts';
import type { Session } from '../session/session.ts';
import { ownAppImage } from './app-identity.ts';
import { askUser } from './message-box.ts';

interface Services {
  readonly session: Session<LiveConnection>;
  readonly orders: OrderService;
  readonly inFlight: InFlight;
  /** Returns the number of files being exported, imported or backed up. */
  readonly files: () => number;
  readonly notice: (message: string, next: string) => void;
  readonly window: () => BrowserWindow | null;
  /** Lets the window save what is typed. Resolves with the number of notes that could not be saved. */
  readonly unsavedNotes: () => Promise<number>;
  /** Stops what uses the connection, before that is closed. */
  readonly beforeClose: () => Promise<void>;
  /** Writes what is otherwise written with a delay. */
  readonly saveState: () => Promise<void>;
  /** Stops waiting for the keychain, whose password prompt can last two minutes. */
  readonly stopKeychain: () => void;
  /** Stops the rest, after the connection is closed. */
  readonly afterClose: () => Promise<void>;
}

const QUESTION = {
  type: 'warning',
  message: 'Quit Ballast now?',
  buttons: ['Keep it open', 'Quit'],
} as const;
/** The order request's own timeout, plus time to record the outcome. */
const OUTCOME_WITHIN_MS = TIMEOUTS.order + 5_000;

export class Quitting {
  readonly #services: Services;
  #isAsking = false;
  /** What is typed is being saved. */
  #isSaving = false;
  #stopped: Promise<void> | null = null;
  #isDone = false;
  #restarts = false;
  #sessionEnds = false;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Handles Electron's attempts to quit from now on. */
  watch(): void {
    app.on('before-quit', (event) => {
      if (this.#isDone) return;
      event.preventDefault();
      const detail = unfinishedText(this.#services.orders.unfinished(), this.#services.files());
      // A signal while the question is open confirms it, like a second Ctrl C in a terminal.
      if (this.#isAsking || this.#isSaving || detail === null) void this.#quit();
      else void this.#ask(detail).then((quits) => (quits ? this.#quit() : undefined));
    });
  }

  /**
   * Quits at the user's request. Ignored while the question is open: a key pressed twice before it is drawn does not
   * confirm it.
   */
  request(): void {
    if (!this.#isAsking) app.quit();
  }

  /** Quits without asking and starts again: the user confirmed that elsewhere, when no note was unsaved. */
  restart(): void {
    this.#restarts = true;
    void this.#quit();
  }

  /** Saves what is typed: Windows asks whether the session may end. Another app may prevent it, so nothing is stopped. */
  sessionMayEnd(): void {
    void this.#services.unsavedNotes();
    void this.#services.saveState();
  }

  /**
   * Quits without asking: Windows ends the session, without `before-quit`. Electron ends this process once the listeners
   * have returned (electron/electron#52604): only what is stopped at once is certain.
   */
  sessionEnds(): void {
    this.#sessionEnds = true;
    void this.#quit();
  }

  /** Reports whether windows may close because shutdown is complete. */
  isDone(): boolean {
    return this.#isDone;
  }

  /** Shuts everything down, in order, once. */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#stop());
  }

  /** Returns whether to quit. */
  async #ask(detail: string): Promise<boolean> {
    this.#isAsking = true;
    let quits = true;
    try {
      quits = (await askUser(this.#services.window(), { ...QUESTION, detail })) === 1;
    } catch {
      // No dialog could be shown. The journal has everything, and the next start reconciles unknown outcomes.
    }
    this.#isAsking = false;
    return quits;
  }

  /** Sends nothing more, and quits once what is typed is saved. If it cannot be, the user decides. */
  async #quit(): Promise<void> {
    if (this.#stopped !== null) return;
    if (this.#isSaving) {
      // Confirms the question about unsaved notes.
      if (this.#isAsking) this.#end();
      return;
    }
    // Before anything is awaited: a reply that arrives meanwhile would send the next request.
    this.#services.orders.batches.stopAll();
    this.#isSaving = true;
    const unsaved = await this.#services.unsavedNotes();
    const asks = unsaved > 0 && !this.#restarts && !this.#sessionEnds;
    const quits = !asks || (await this.#ask(unsavedText(unsaved)));
    this.#isSaving = false;
    if (quits) this.#end();
  }

  #end(): void {
    if (this.#stopped !== null) return;
    void this.stop().finally(() => {
      this.#isDone = true;
      if (this.#restarts) relaunch();
      app.quit();
    });
  }

  async #stop(): Promise<void> {
    const { beforeClose, saveState, orders, notice, inFlight, stopKeychain, session, afterClose } =
      this.#services;
    orders.end();
    await beforeClose();
    await saveState();
    if (orders.unfinished().sending > 0)
      notice(
        'Waiting for an order to complete, then Ballast quits.',
        `This takes at most ${OUTCOME_WITHIN_MS / 1_000} s.`,
      );
    await inFlight.whenSettled(OUTCOME_WITHIN_MS);
    stopKeychain();
    await session.stop();
    await afterClose();
  }
}

/** Starts the app again once this process has ended. */
function relaunch(): void {
  const image = ownAppImage(process.env, app.getPath('exe'));
  if (image === null) app.relaunch();
  else app.relaunch({ execPath: image, args: ['--appimage-extract-and-run', ...process.argv.slice(1)] });
}

const unsavedText = (notes: number): string =>
  `What you typed last in ${notes === 1 ? 'a note' : `${notes} notes`} is not saved: the text is too long, or the archive could not be written. Quitting discards it.`;

/** Returns the text of the question, or null if nothing is unfinished. */
function unfinishedText({ unknown, batches, closing }: UnfinishedOrders, files: number): string | null {
  const lines = [
    unknown === 0
      ? null
      : `The outcome of ${unknown === 1 ? 'an order is' : `${unknown} orders is`} unknown: it may or may not have been placed. Ballast resumes searching at the next start.`,
    batches === 0
      ? null
      : closing
        ? 'Positions are being closed. The current order is completed; the remaining ones are not sent.'
        : 'A batch is being sent. The current request is completed; the remaining rows are not sent.',
    files === 0
      ? null
      : `${files === 1 ? 'A file is' : `${files} files are`} being exported, imported or backed up. This is cancelled; existing files are not changed.`,
  ].filter((line) => line !== null);
  return lines.length === 0 ? null : lines.join('\n\n');
}
