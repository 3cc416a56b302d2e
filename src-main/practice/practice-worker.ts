/** Entry point of the practice worker: starts the exchange, reports its address and stops on request. */
import { parentPort, workerData } from 'node:worker_threads';
import { startPractice, type PracticeOptions } from '../../src-practice/index.ts';

if (!parentPort) throw new Error('practice-worker is started by practice.ts only');
const port = parentPort;
const { stop, ...report } = await startPractice(workerData as PracticeOptions);
port.once('message', () => {
  void stop().then(() => port.close());
});
port.postMessage(report);
