/**
 * Measures confirm → last byte of the request at the server, for the order service, journal and client as the app
 * composes them, compared with bare POSTs of the same bytes. Runs with the journal on disk and without: the
 * difference is the cost of "on disk before the first byte".
 */
import { mkdtempSync, openSync, fsyncSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import got from 'got';
import { createClient } from '../src-main/exchange/client.ts';
import { encodeOrder } from '../src-main/exchange/order-body.ts';
import { journalFile } from '../src-main/orders/journal/file.ts';
import { openJournal, type JournalFile } from '../src-main/orders/journal/journal.ts';
import { memoryFile } from '../tests/orders/memory-file.ts';
import { openConnection, orderServiceOf, PRACTICE } from '../tests/orders/simple-order-service.ts';
import { LIMIT } from '../tests/domain/order-samples.ts';
import { median, type BenchFile } from './harness.ts';
import { dataOf } from '../tests/shared/data-of.ts';

const ORDERS = 1_000;
/** After these, compilation is done and every connection open. */
const WARM_UP = 200;
const CREDENTIALS = { key: 'bench-key', secret: 'bench-secret' };

/** Sends one order; resolves with the time of its confirmation when the reply arrived. */
type Sender = () => Promise<bigint>;

const p99 = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? NaN;

async function orderServiceOn(
  url: string,
  file: JournalFile,
): Promise<{ send: Sender; close: () => Promise<void> }> {
  const client = createClient({
    baseUrl: url,
    credentials: CREDENTIALS,
    signing: 'practice',
    clock: { now: Date.now },
  });
  let ids = 0;
  const connection = openConnection({
    send: (endpoint, body, kind) => client.send(endpoint, body, kind),
    clockOffsetMs: () => client.clockOffsetMs(),
  });
  const orders = orderServiceOf({
    journal: await openJournal(file),
    connection: () => connection,
    clock: { now: Date.now, mono: () => performance.now() },
    newId: () => `bench-${String(++ids)}`,
  });
  return {
    async send() {
      const review = dataOf(
        orders.review({ connectionId: PRACTICE.id, kind: 'order', request: LIMIT, reference: null }),
      );
      const confirmed = process.hrtime.bigint();
      const sent = await orders.send(review.token, null);
      if (!sent.ok || sent.data.state !== 'accepted') throw new Error('an order was not accepted');
      return confirmed;
    },
    close: () => client.close(),
  };
}

const bench: BenchFile = async ({ report, note }) => {
  const arrived = new BigInt64Array(new SharedArrayBuffer(8));
  const server = new Worker(new URL('./order-path/server.ts', import.meta.url), {
    workerData: arrived.buffer,
  });
  const [url] = (await once(server, 'message')) as [string];
  const folder = mkdtempSync(join(tmpdir(), 'ballast-order-path-'));
  note(`journal under ${folder}, file system type 0x${statfsSync(folder).type.toString(16)}`);

  const file = journalFile(join(folder, 'orders.jsonl'));
  const appends: number[] = [];
  const onDisk = await orderServiceOn(url, {
    read: () => file.read(),
    async append(text) {
      const started = performance.now();
      await file.append(text);
      appends.push((performance.now() - started) * 1000);
    },
  });
  const inMemory = await orderServiceOn(url, memoryFile());

  const body = encodeOrder(LIMIT);
  const target = `${url}/orders`;
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  const rawAgent = new Agent({ keepAlive: true });
  const gotAgent = new Agent({ keepAlive: true });
  const raw: Sender = () =>
    new Promise((resolve, reject) => {
      const confirmed = process.hrtime.bigint();
      const request = httpRequest(target, { method: 'POST', agent: rawAgent, headers }, (response) => {
        response.resume().once('end', () => resolve(confirmed));
      });
      request.once('error', reject);
      request.end(body);
    });
  const bareGot: Sender = async () => {
    const confirmed = process.hrtime.bigint();
    await got.post(target, { body, headers, agent: { http: gotAgent }, retry: { limit: 0 } });
    return confirmed;
  };
  const bareFile = openSync(join(folder, 'bare'), 'a');
  const fsyncs: number[] = [];

  const senders: readonly (readonly [Sender, number[]])[] = [
    [raw, []],
    [bareGot, []],
    [inMemory.send, []],
    [onDisk.send, []],
  ];
  // Alternating, so that other load affects all of them.
  for (let round = 0; round < WARM_UP + ORDERS; round++) {
    for (const [send, taken] of senders) {
      const confirmed = await send();
      taken.push(Number((arrived[0] ?? 0n) - confirmed) / 1000);
    }
    const started = performance.now();
    writeSync(bareFile, `${body.repeat(4)}\n`);
    fsyncSync(bareFile);
    fsyncs.push((performance.now() - started) * 1000);
  }
  const [http = [], gots = [], memory = [], disk = []] = senders.map(([, taken]) => taken.slice(WARM_UP));
  // Two appends per order: the first before sending, the second after the reply.
  const before = appends.filter((_, index) => index % 2 === 0).slice(WARM_UP);

  const rows = [
    ['order service, journal in memory, client', memory, 'bare got POST (target 2×)', gots],
    ['order service, journal synced to disk, client', disk, 'bare node:http keep-alive POST', http],
    ['bare got POST', gots, 'bare node:http keep-alive POST', http],
    ['of it the journal: append and fsync', before, 'bare write and fsync', fsyncs.slice(WARM_UP)],
  ] as const;
  for (const [figure, values, baseline, baselines] of rows) {
    report({
      figure: `${figure}, p50`,
      value: median(values),
      unit: 'µs',
      baseline,
      baselineValue: median(baselines),
    });
    report({
      figure: `${figure}, p99`,
      value: p99(values),
      unit: 'µs',
      baseline,
      baselineValue: p99(baselines),
    });
  }
  for (const agent of [rawAgent, gotAgent]) agent.destroy();
  await onDisk.close();
  await inMemory.close();
  await server.terminate();
  rmSync(folder, { recursive: true });
};
export default bench;
