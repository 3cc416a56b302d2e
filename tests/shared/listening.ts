/** Servers of tests: on loopback, on a free port. */
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** Resolves with the port once the server listens. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  return (server.address() as AddressInfo).port;
}

/** Ends the server and its connections. */
export const end = (server: Pick<HttpServer, 'close' | 'closeAllConnections'>): Promise<void> =>
  new Promise((ended) => {
    server.close(() => ended());
    server.closeAllConnections();
  });
