// A worker that accepts every order and records, by the system's monotonic clock, when the last byte of each
// arrived.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const arrived = new BigInt64Array(workerData as SharedArrayBuffer);
/** Each order has an id of its own: the journal refuses one that another order has. */
let nextId = 734_829_105_569_914_880n;

const server = createServer((request, response) => {
  request.resume().once('end', () => {
    arrived[0] = process.hrtime.bigint();
    const reply = JSON.stringify({ code: '0', msg: 'success', success: true, data: String(nextId++) });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': reply.length });
    response.end(reply);
  });
});
// Keeps connections open between two turns of a slow machine.
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  parentPort?.postMessage(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
});
