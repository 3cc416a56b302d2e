/** Measures the sync over HTTP compared with a bare loop of the same requests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openArchive } from '../src-main/archive/archive.ts';
import { createClient } from '../src-main/exchange/client.ts';
import { RateLimit } from '../src-main/exchange/rate-limit.ts';
import { RequestLimiter } from '../src-main/sync/request-limiter.ts';
import { TradeSync } from '../src-main/sync/trade-sync.ts';
import { median, type BenchFile } from './harness.ts';
import { dataOf } from '../tests/shared/data-of.ts';

const TRADES = 50_000;
const RUNS = 5;

/** In its own process, like a real exchange: in this one it would wait while rows go to the archive. */
async function exchange() {
  const entry = fileURLToPath(new URL('../src-practice/index.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    [entry, '--seed', '5', '--history', String(TRADES), '--max-page-size', '500', '--json'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(child, 'exit');
  let output = '';
  for await (const part of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += String(part);
    if (output.includes('\n')) break;
  }
  if (!output.includes('\n')) throw new Error('the practice exchange did not start');
  const { url, key, secret } = JSON.parse(output) as { url: string; key: string; secret: string };
  return {
    ...{ url, credentials: { key, secret, headers: {} } },
    async stop() {
      child.kill();
      await ended;
    },
  };
}

const bench: BenchFile = async ({ report, note }) => {
  const practice = await exchange();
  const clock = { now: () => Date.now(), mono: () => performance.now() };
  const client = createClient({
    baseUrl: practice.url,
    credentials: practice.credentials,
    signing: 'practice',
    clock,
  });
  const folder = mkdtempSync(join(tmpdir(), 'ballast-bench-sync-'));
  const rates: number[] = [];
  const bare: number[] = [];
  try {
    for (let run = 0; run < RUNS; run++) {
      const endTime = Date.now() - 60_000;
      // The same client, so that both sides include signing, transport and parsing.
      const from = performance.now();
      let read = 0;
      for (let page = 0, pages = 1; page <= pages; page++) {
        const result = await client.trades({ endTime, pageNumber: page, pageSize: 1_000 });
        if (!result.ok) continue; // numbering begins at 1
        pages = result.data.pageCount;
        read += result.data.data.length;
      }
      bare.push(read / ((performance.now() - from) / 1000));

      const opened = dataOf(
        await openArchive({ file: join(folder, `${run}.db`), connectionId: 'bench', clock }),
      );
      const archive = opened;
      const begun = performance.now();
      const stored = await new Promise<number>((resolve, reject) => {
        const sync = new TradeSync({
          ...{
            connectionId: 'bench',
            client,
            archive,
            limiter: new RequestLimiter(new RateLimit(), clock),
            clock,
            restMs: 0,
          },
          timers: {
            after(ms, then) {
              const timer = setTimeout(then, ms);
              return () => clearTimeout(timer);
            },
          },
          onStatus(status) {
            if (status.state === 'complete') void sync.stop().then(() => resolve(status.stored));
            if (status.state === 'failed') reject(new Error(status.failure?.message ?? 'failed'));
          },
        });
        sync.start();
      });
      rates.push(stored / ((performance.now() - begun) / 1000));
      if (stored < TRADES) throw new Error(`${stored} of ${TRADES} trades were stored`);
      await archive.close();
    }
  } finally {
    await client.close();
    await practice.stop();
    rmSync(folder, { recursive: true });
  }
  note('the sync must reach 80 % of the bare loop');
  report({
    figure: `sync of ${TRADES} trades into the archive`,
    value: median(rates),
    unit: 'trades/s',
    baseline: 'a bare loop of the same requests, nothing stored (target 0.8×)',
    baselineValue: median(bare),
  });
};
export default bench;
