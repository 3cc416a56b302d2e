/** An exchange for crash tests: accepts every order, counts arrivals, and drops some replies. */
import { createServer } from 'node:http';
import { end, listen } from '../shared/listening.ts';

export interface KillServer {
  readonly url: string;
  /** By price, which is unique per order: how often it arrived completely, and its id. */
  readonly arrived: Map<string, { times: number; orderId: string }>;
  /** Called when an order has arrived, before the reply. */
  onArrival: (price: string) => void;
  readonly stop: () => Promise<void>;
}

const PRICE = /"price":(\d+\.\d+)/g;
export const pricesIn = (body: string): string[] => [...body.matchAll(PRICE)].map(([, price]) => price!);

export async function startKillServer(random: () => number): Promise<KillServer> {
  let lastId = 734_829_105_569_914_880n;
  const arrived: KillServer['arrived'] = new Map();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method !== 'POST') {
        // Reads fail: reconciliation is not tested here, and nothing may be sent for it.
        response.writeHead(503).end();
        return;
      }
      const prices = pricesIn(Buffer.concat(chunks).toString('utf8'));
      for (const price of prices) {
        const before = arrived.get(price);
        arrived.set(price, {
          times: (before?.times ?? 0) + 1,
          orderId: before?.orderId ?? String(++lastId),
        });
        self.onArrival(price);
      }
      const data = request.url?.includes('batch') === true ? true : arrived.get(prices[0] ?? '')?.orderId;
      const lost = random() < 0.2;
      setTimeout(() => {
        if (lost) request.socket.destroy();
        else response.end(JSON.stringify({ code: '0', msg: 'success', success: true, data }));
      }, random() * 4);
    });
  });
  const port = await listen(server);
  const self: KillServer = {
    url: `http://127.0.0.1:${port}`,
    arrived,
    onArrival: () => undefined,
    stop: () => end(server),
  };
  return self;
}
