/**
 * Carries what the write-ahead log holds over into the archive's file from a thread of its own, while trades are being
 * stored. SQLite by itself does it inside the commit that fills the log: at 80 MB that is 0.2 s, and whatever was asked
 * of the archive's thread meanwhile waited for it. What is left for that commit now are the last few thousand pages,
 * after which the log begins anew.
 */
import { DatabaseSync } from 'node:sqlite';
import type { MessagePort, Worker } from 'node:worker_threads';

/** Handed to the worker when it is spawned. */
export interface CheckpointSetup {
  /** The archive whose log is to be carried over. */
  readonly checkpoint: string;
}

export interface WalCheckpoints {
  /** So many rows were stored: once they are many, the thread is told. It is started when it is first needed. */
  stored(rows: number): void;
  /** Tells it no more; resolves when it has let go of the file. */
  close(): Promise<void>;
}

/** About 10 MB of log: seldom enough that pages written again and again (the newest of each index) are carried over once. */
const ROWS = 50_000;
const END = 'end';

/** A thread that fails (no room left) leaves the work to SQLite's own checkpoint; the next rows start another. */
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

/** In the thread. PASSIVE: waits for nobody and makes nobody wait. */
export function runCheckpoints({ checkpoint }: CheckpointSetup, port: MessagePort): void {
  const db = new DatabaseSync(checkpoint);
  port.on('message', (told) => {
    if (told !== END) return db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    db.close();
    port.close();
  });
}
