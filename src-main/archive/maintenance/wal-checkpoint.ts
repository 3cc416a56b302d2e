/**
 * Checkpoints the archive's WAL in its own thread while trades are stored. SQLite's automatic checkpoint runs inside
 * the commit that fills the log: at 80 MB it blocked the archive's thread for 0.2 s. It now has only the last few
 * thousand pages left.
 */
import { DatabaseSync } from 'node:sqlite';
import type { MessagePort, Worker } from 'node:worker_threads';

/** Passed to the worker when it is spawned. */
export interface CheckpointSetup {
  /** The archive to checkpoint. */
  readonly checkpoint: string;
}

export interface WalCheckpoints {
  /** Counts stored rows and triggers a checkpoint every 50,000. Starts the thread when first needed. */
  stored(rows: number): void;
  /** Ends the thread; resolves when it has closed the file. */
  close(): Promise<void>;
}

/** About 10 MB of log, so that pages rewritten often (the newest of each index) are copied once. */
const ROWS = 50_000;
const END = 'end';

/** If the thread fails (full disk), SQLite's automatic checkpoint does the work; later rows start another thread. */
export function createWalCheckpoints(spawn: () => Worker): WalCheckpoints {
  let rows = 0;
  let thread: Worker | null = null;
  let closed = false;

  function start(): Worker {
    const worker = spawn();
    worker.on('error', () => {});
    worker.once('exit', () => (thread = null));
    return worker;
  }

  return {
    stored(more) {
      rows += more;
      if (rows < ROWS || closed) return;
      rows = 0;
      thread ??= start();
      thread.postMessage(null);
    },
    async close() {
      closed = true;
      if (thread === null) return;
      const ended = new Promise((resolve) => thread?.once('exit', resolve));
      thread.postMessage(END);
      await ended;
    },
  };
}

/** Runs in the thread. PASSIVE checkpoints neither wait for nor block readers and writers. */
export function runCheckpoints({ checkpoint }: CheckpointSetup, port: MessagePort): void {
  const db = new DatabaseSync(checkpoint);
  port.on('message', (message) => {
    if (message !== END) return db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    db.close();
    port.close();
  });
}
