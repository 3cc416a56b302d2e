/** Runs a job in a worker thread of its own, which reports percentages, then one result. It can be cancelled. */
import type { MessagePort, Worker } from 'node:worker_threads';
import { errorCode } from '../src-files/error-code.ts';
import { done, failed, type Failure, type Result } from '../src-shared/ipc/failures.ts';

type Message<T> =
  | { readonly type: 'percent'; readonly percent: number }
  | { readonly type: 'result'; readonly result: Result<T> };

export interface WorkerJob<T> {
  /** null if cancelled. Never rejects. */
  readonly ended: Promise<Result<T | null>>;
  /** Resolves when the thread has ended and what it left is removed. */
  cancel(): Promise<void>;
}

interface JobEnds {
  readonly progress: (percent: number) => void;
  /** What happened if the thread ends by an error, and what to do. */
  readonly stopped: string;
  readonly next: string;
  /** Removes what a job leaves that was not done. */
  readonly removeUnfinished: () => Promise<void>;
}

/** Follows the job that `worker` was started for. `T`: its result; only `reportJob` posts messages. */
export function followJob<T>(
  worker: Worker,
  { progress, stopped, next, removeUnfinished }: JobEnds,
): WorkerJob<T> {
  let result: Result<T | null> = done(null);
  worker.on('message', (message: Message<T>) => {
    if (message.type === 'percent') progress(message.percent);
    else result = message.result;
  });
  worker.once('error', (error: Error) => {
    result = failed({ kind: 'bug', message: `${stopped}: ${error.message.slice(0, 200)}`, next });
  });
  const ended = new Promise<Result<T | null>>((resolve) =>
    worker.once('exit', () =>
      resolve(result.ok && result.data !== null ? result : tidied(result, removeUnfinished)),
    ),
  );
  return {
    ended,
    async cancel() {
      await worker.terminate();
      await ended;
    },
  };
}

/** Removes what a job left; returns its result, or a failure that says so where that fails too. */
async function tidied<T>(result: Result<T>, removeUnfinished: () => Promise<void>): Promise<Result<T>> {
  try {
    await removeUnfinished();
    return result;
  } catch (error) {
    const left = `An unfinished file was left behind: it could not be deleted (${errorCode(error) || 'no code'}).`;
    return failed(
      result.ok
        ? { kind: 'file', message: left, next: 'Nothing else was changed.' }
        : { ...result.failure, next: `${result.failure.next} ${left}` },
    );
  }
}

/** Runs in the thread: posts whole percentages, each once, then the result. `failureOf`: of whatever `run` throws. */
export async function reportJob<T>(
  port: MessagePort,
  run: (progress: (percent: number) => void) => T | Promise<T>,
  failureOf: (error: unknown) => Failure,
): Promise<void> {
  const post = (message: Message<T>): void => port.postMessage(message);
  let shown = -1;
  const progress = (share: number): void => {
    const percent = Math.floor(share);
    if (percent !== shown) post({ type: 'percent', percent });
    shown = percent;
  };
  try {
    post({ type: 'result', result: done(await run(progress)) });
  } catch (error) {
    post({ type: 'result', result: failed(failureOf(error)) });
  }
}
