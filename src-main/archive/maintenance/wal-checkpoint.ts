/**
 * Checkpoints the archive's WAL in its own thread while trades are stored. SQLite's automatic checkpoint runs inside
 * the commit that fills the log: at 80 MB it blocked the archive's thread for 0.2 s. It now has only the last few
 * thousand pages left.
 */
import type { MessagePort, Worker } from 'node:worker_threads';
import { openDurable } from '../sqlite/open-durable.ts';

/** Passed to the worker when it is spawned. */
export interface CheckpointSetup {
  /** The archive to checkpoint. */
  readonly checkpoint: string;
}

/** About 10 MB of log, so that pages rewritten often (the newest of each index) are copied once. */
const ROWS = 50_000;
const END = 'end';

/** If the thread fails (full disk), SQLite's automatic checkpoint does the work; later rows start another thread. */
export class WalCheckpoints {
  readonly #spawn: () => Worker;
  #rows = 0;
  #thread: Worker | null = null;
  #closed = false;

  constructor(spawn: () => Worker) {
    this.#spawn = spawn;
  }

  /** Counts stored rows and triggers a checkpoint every 50,000. Starts the thread when first needed. */
  stored(rows: number): void {
    this.#rows += rows;
    if (this.#rows < ROWS || this.#closed) return;
    this.#rows = 0;
    this.#thread ??= this.#start();
    this.#thread.postMessage(null);
  }

  /** Ends the thread; resolves when it has closed the file. */
  async close(): Promise<void> {
    this.#closed = true;
    const thread = this.#thread;
    if (thread === null) return;
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    thread.postMessage(END);
    await ended;
  }

  #start(): Worker {
    const worker = this.#spawn();
    worker.on('error', () => {});
    worker.once('exit', () => (this.#thread = null));
    return worker;
  }
}

/** Runs in the thread. PASSIVE checkpoints neither wait for nor block readers and writers. */
export function runCheckpoints({ checkpoint }: CheckpointSetup, port: MessagePort): void {
  const db = openDurable(checkpoint);
  port.on('message', (message) => {
    if (message !== END) return db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    db.close();
    port.close();
  });
}
