/** A loopback HTTP server around a handler, and its shutdown. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

// An import also evaluates what the module loads on demand, such as its WebSocket: 20 ms of each start.
const { createServer } = process.getBuiltinModule('node:http');

export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Listens on 127.0.0.1; `port` 0 picks a free one. Rejects when the port is taken. */
export async function listen(port: number, handler: Handler): Promise<Listening> {
  const server = createServer((request, response) => {
    handler(request, response).catch((error: unknown) => fail(request, response, error));
  });
  server.keepAliveTimeout = 30_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address to listen on');
  return { url: `http://127.0.0.1:${address.port}`, close: () => end(server) };
}

/** Ignores clients that disconnected. Any other error is a bug of this program and must surface. */
function fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  response.destroy();
  if (request.complete) {
    process.emitWarning(error instanceof Error ? error : new Error(String(error)));
  }
}

function end(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}
