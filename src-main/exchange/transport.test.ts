import dns from 'node:dns';
import { Agent } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CERTIFICATE, CERTIFICATE_KEY } from '../../tests/exchange/certificate.ts';
import { reply, startServer } from '../../tests/exchange/server.ts';
import { createTransport, TIMEOUTS, type Timeouts, type WireResult } from './transport.ts';

const canary = { 'x-api-key': 'canary-key', 'x-signature': 'canary-signature' };

function post(url: string, timeouts: Partial<Timeouts> = {}, maxBytes?: number): Promise<WireResult> {
  const transport = createTransport({ ...TIMEOUTS, ...timeouts }, maxBytes);
  onTestFinished(() => transport.close());
  return transport.send({ method: 'POST', url, headers: canary, body: '{"canary":"body"}' });
}

/** Trusts the certificate until the test ends. */
function trustCertificate(): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, CERTIFICATE]);
  onTestFinished(() => setDefaultCACertificates(before));
}

/** What timers do not notice: the wall clock moved while they stood still. */
function sleep(ms: number): void {
  const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + ms);
  onTestFinished(() => now.mockRestore());
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined); // resets are what these tests are about
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe('before a byte of the request has left', () => {
  it('a name that is not found', async () => {
    expect(await post('https://no-such-host.invalid/x')).toMatchObject({
      stage: 'before-send',
      cause: 'dns',
    });
  });

  it('a DNS server that does not reply: not before the second one was asked, after 5 s', async () => {
    const lookup = vi.spyOn(dns, 'lookup').mockImplementation(() => undefined);
    onTestFinished(() => lookup.mockRestore());
    expect(await post('https://exchange.example/x', { lookup: 50 })).toMatchObject({
      stage: 'before-send',
      cause: 'timeout',
      code: 'ETIMEDOUT',
    });
    expect(TIMEOUTS.lookup).toBeGreaterThan(5_500);
  });

  it('a closed port', async () => {
    const port = await listen(createTcpServer());
    const free = createTcpServer();
    const other = await listen(free);
    await new Promise((resolve) => free.close(resolve));
    expect(port).not.toBe(other);
    expect(await post(`http://127.0.0.1:${other}/x`)).toEqual({
      kind: 'failure',
      stage: 'before-send',
      cause: 'connect',
      code: 'ECONNREFUSED',
      status: null,
    });
  });

  it.each(['1', '0'])(
    'an invalid certificate, also where the environment accepts any (%s)',
    async (verifies) => {
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', verifies);
      onTestFinished(() => void vi.unstubAllEnvs());
      let requests = 0;
      const server = createTlsServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, () => {
        requests++;
      });
      const port = await listen(server);
      expect(await post(`https://localhost:${port}/x`)).toMatchObject({ stage: 'before-send', cause: 'tls' });
      expect(requests).toBe(0);
    },
  );

  it('a server that speaks no TLS, and one that never answers the handshake', async () => {
    const plain = await startServer(reply('{}'));
    expect(await post(plain.url.replace('http:', 'https:'))).toMatchObject({
      stage: 'before-send',
      cause: 'tls',
    });
    const silent = await listen(createTcpServer());
    expect(await post(`https://127.0.0.1:${silent}/x`, { secureConnect: 100 })).toMatchObject({
      stage: 'before-send',
      cause: 'timeout',
      code: 'ETIMEDOUT',
    });
    const closing = await listen(createTcpServer((socket) => socket.destroy()));
    expect(await post(`https://127.0.0.1:${closing}/x`)).toMatchObject({ stage: 'before-send' });
  });

  it('a connection that opens only after the computer slept: the order would arrive hours late', async () => {
    trustCertificate();
    let requests = 0;
    const server = createTlsServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (_request, response) => {
      requests++;
      response.end('{}');
    });
    const ended = new Promise((resolve) =>
      server.once('connection', (socket: Socket) => socket.once('close', resolve)),
    );
    const port = await listen(server);
    const sleeping = createTcpServer((socket) => {
      sleep(3_600_000);
      socket.pipe(connect(port, '127.0.0.1')).pipe(socket);
    });
    expect(await post(`https://localhost:${await listen(sleeping)}/x`)).toMatchObject({
      stage: 'before-send',
      cause: 'timeout',
    });
    await ended;
    expect(requests).toBe(0);
  });
});

describe('after a byte may have left', () => {
  it('a connection that is taken and dropped, read or not', async () => {
    const dropped = await listen(createTcpServer((socket) => socket.destroy()));
    expect(await post(`http://127.0.0.1:${dropped}/x`)).toMatchObject({ stage: 'after-send' });
    const reset = await listen(
      createTcpServer((socket) => void socket.once('data', () => socket.resetAndDestroy())),
    );
    expect(await post(`http://127.0.0.1:${reset}/x`)).toMatchObject({ stage: 'after-send', cause: 'reset' });
  });

  it('a reused connection that breaks before it is read: unknown what was sent', async () => {
    const server = await startServer(reply('{}'));
    const transport = createTransport(TIMEOUTS);
    onTestFinished(() => transport.close());
    const request = { method: 'POST', url: server.url, headers: {}, body: '{}' } as const;
    expect(await transport.send(request)).toMatchObject({ kind: 'reply' });
    server.server.once('request', ({ socket }: { socket: Socket }) => socket.resetAndDestroy());
    server.answer = () => undefined;
    expect(await transport.send(request)).toMatchObject({ stage: 'after-send', cause: 'reset' });
  });

  it('a TLS connection that breaks after the request', async () => {
    trustCertificate();
    const server = createTlsServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (request) =>
      request.socket.destroy(),
    );
    const port = await listen(server);
    expect(await post(`https://localhost:${port}/x`)).toMatchObject({ stage: 'after-send', cause: 'reset' });
    server.removeAllListeners('request');
    server.on('request', (_request, response) => void response.end('{}'));
    expect(await post(`https://localhost:${port}/x`)).toMatchObject({ kind: 'reply', status: 200 });
  });

  it('silence, a cut body, a reply that is no HTTP, one that never ends', async () => {
    // Time enough to connect on a busy machine: the request has left when it ends.
    const silent = await startServer(() => undefined);
    expect(await post(silent.url, { order: 1_000 })).toMatchObject({ stage: 'after-send', cause: 'timeout' });
    const cut = await startServer((response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{');
      setImmediate(() => response.socket?.destroy());
    });
    expect(await post(cut.url)).toMatchObject({ stage: 'after-send', cause: 'body', status: 200 });
    const noise = await listen(createTcpServer((socket) => socket.end('not http\r\n\r\n')));
    expect(await post(`http://127.0.0.1:${noise}/x`)).toMatchObject({ stage: 'after-send', cause: 'body' });
    const slow = await startServer((response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect(await post(slow.url, { order: 1_000 })).toMatchObject({ stage: 'after-send', cause: 'timeout' });
  });

  it.each(['gzip', 'br', 'deflate', 'zstd'])(
    'a body that is not compressed by %s, as its header says',
    async (how) => {
      const server = await startServer((response) => {
        response.writeHead(200, { 'content-encoding': how });
        response.end('{"code":"0"}');
      });
      expect(await post(server.url)).toMatchObject({ stage: 'after-send', cause: 'encoding', status: 200 });
    },
  );

  it('a reply over the limit, also when it is small on the wire', async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000, 32));
    expect(bomb.length).toBeLessThan(10_000);
    const server = await startServer((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(bomb);
    });
    expect(await post(server.url, {}, 4_999_999)).toEqual({
      kind: 'failure',
      stage: 'after-send',
      cause: 'too-large',
      code: '',
      status: 200,
    });
    expect(await post(server.url, {}, 5_000_000)).toMatchObject({ kind: 'reply', status: 200 });
  });

  it('a reply over the limit, whose rest is not read', async () => {
    const closed = Promise.withResolvers<undefined>();
    const server = await startServer((response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '.repeat(1_000)), 5);
      response.on('close', () => (clearInterval(timer), closed.resolve(undefined)));
    });
    expect(await post(server.url, {}, 2_000)).toMatchObject({ cause: 'too-large' });
    await closed.promise;
  });

  it('a read has its own time', async () => {
    const silent = await startServer(() => undefined);
    const transport = createTransport({ ...TIMEOUTS, read: 150 });
    onTestFinished(() => transport.close());
    const request = { method: 'GET', url: silent.url, headers: {}, body: '' } as const;
    expect(await transport.send(request)).toMatchObject({ cause: 'timeout', code: 'ETIMEDOUT' });
  });
});

describe('a reply', () => {
  it('has its status, its body and its time, unless that comes from a cache', async () => {
    const date = 'Sat, 21 Nov 2026 09:14:03 GMT';
    const server = await startServer(reply('{}', 201, { date, 'retry-after': '7' }));
    const replied = await post(server.url);
    expect(replied.kind === 'reply' && replied.latencyMs).toBeLessThan(TIMEOUTS.order);
    expect(replied).toEqual({
      ...{ kind: 'reply', status: 201, date: Date.parse(date), retryAfter: '7', location: null },
      ...{ body: Buffer.from('{}'), latencyMs: expect.any(Number) },
    });
    server.answer = reply('{}', 200, { date, age: '5' });
    expect(await post(server.url)).toMatchObject({ date: null });
    expect(server.arrived[0]?.headers).toMatchObject({ 'user-agent': 'Ballast', accept: 'application/json' });
  });
});

describe('a connection', () => {
  async function connected(idle: number) {
    const server = await startServer(reply('{}'));
    server.server.keepAliveTimeout = 0; // never ended from there
    const opened: Promise<unknown>[] = [];
    server.server.on('connection', (socket: Socket) =>
      opened.push(new Promise((resolve) => socket.once('close', resolve))),
    );
    const transport = createTransport({ ...TIMEOUTS, idle });
    onTestFinished(() => transport.close());
    const request = { method: 'GET', url: server.url, headers: {}, body: '' } as const;
    return { transport, opened, send: () => transport.send(request) };
  }

  it('serves one request after another, and ends with the transport', async () => {
    const { transport, opened, send } = await connected(60_000);
    await send();
    await send();
    expect(opened).toHaveLength(1);
    transport.close();
    await Promise.all(opened);
  });

  it('ends before the server drops it, so that no order is lost with it', async () => {
    const { opened, send } = await connected(50);
    await send();
    await Promise.all(opened);
    await send();
    expect(opened).toHaveLength(2);
    // Servers commonly wait 5 s.
    expect(TIMEOUTS.idle).toBeLessThan(5_000);
  });

  it('is not used again after the computer slept: the server has dropped it', async () => {
    const { opened, send } = await connected(60_000);
    await send();
    sleep(60_000);
    await send();
    expect(opened).toHaveLength(2);
  });

  it('has more time for each address of a host than Node gives it, which distant hosts exceed', async () => {
    const create = vi.spyOn(Agent.prototype, 'createConnection');
    onTestFinished(() => create.mockRestore());
    const { send } = await connected(60_000);
    await send();
    const [options] = create.mock.calls[0] ?? [];
    expect(options).toMatchObject({ autoSelectFamilyAttemptTimeout: TIMEOUTS.address });
    // One lost packet is sent again after 1 s; a second address must have its turn in time.
    expect(TIMEOUTS.address).toBeGreaterThan(1_000);
    expect(2 * TIMEOUTS.address).toBeLessThan(TIMEOUTS.connect);
  });
});

describe('what never happens', () => {
  it('a redirect is followed', async () => {
    const other = await startServer(reply('{}'));
    for (const status of [301, 302, 303, 307, 308]) {
      const server = await startServer(reply('', status, { location: other.url }));
      expect(await post(server.url)).toMatchObject({ kind: 'reply', status, location: other.url });
      expect(server.arrived).toHaveLength(1);
    }
    expect(other.arrived).toEqual([]);
  });

  it('a request is repeated, or a failure carries a header or the body', async () => {
    const server = await startServer((response) => void response.socket?.destroy());
    const transport = createTransport(TIMEOUTS);
    onTestFinished(() => transport.close());
    for (const method of ['GET', 'POST'] as const) {
      const result = await transport.send({ method, url: server.url, headers: canary, body: 'canary' });
      expect(result.kind).toBe('failure');
      expect(inspect(result, { depth: 9 })).not.toContain('canary');
    }
    expect(server.arrived).toHaveLength(2);
  });

  it('a cookie is kept', async () => {
    const server = await startServer(reply('{}', 200, { 'set-cookie': 'a=b' }));
    const transport = createTransport(TIMEOUTS);
    onTestFinished(() => transport.close());
    const request = { method: 'GET', url: server.url, headers: {}, body: '' } as const;
    await transport.send(request);
    await transport.send(request);
    expect(server.arrived.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined]);
  });
});
