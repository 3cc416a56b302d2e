/** Entry point of the practice worker: starts the exchange, reports its address and stops on request. */
import { parentPort, workerData } from 'node:worker_threads';
import { startPractice } from '../../src-practice/index.ts';
import type { PracticeReport, PracticeSetup } from './practice.ts';

if (!parentPort) throw new Error('practice-worker is started by practice.ts only');
const port = parentPort;
const practice = await startPractice(workerData as PracticeSetup);
port.once('message', () => {
  void practice.stop().then(() => port.close());
});
port.postMessage({
  url: practice.url,
  credentials: practice.credentials,
  controls: practice.controls,
  exchangeId: practice.exchangeId,
  settings: { ...practice.settings, triggerTypes: [...practice.settings.triggerTypes] },
  fresh: practice.fresh,
  movedAside: practice.movedAside,
} satisfies PracticeReport);
