// Syncs and exports without a window, for scripts and schedulers: `npm run export -- …`. Exit codes: --help.
import { createHash } from 'node:crypto';
import { tradedContract } from '../../src-shared/domain/instrument/currencies.ts';
import type { ProfitFinding } from '../../src-shared/ipc/profit.ts';
import type { ControlTotals } from '../../src-shared/ipc/exports.ts';
import type { Failure } from '../../src-shared/ipc/failures.ts';
import type { SyncStatus } from '../../src-shared/ipc/trades.ts';
import { openArchive, type Archive } from '../../src-main/archive/archive.ts';
import { createClient } from '../../src-main/exchange/client.ts';
import { RateLimit } from '../../src-main/exchange/rate-limit.ts';
import { HELP, readOptions, UsageError, type ExportOptions } from '../export/options.ts';
import { secretOf } from '../export/secret.ts';
import { fill, type SyncPorts } from '../export/sync.ts';

const [OK, USAGE, REFUSED, INCOMPLETE, FILE, UNREACHED, DEFECT] = [0, 1, 2, 3, 4, 5, 6];
const clock = { now: () => Date.now() };
const timers = {
  after(ms: number, run: () => void) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
const printLine = (line: string): void => console.error(line);

function codeOf({ kind }: Failure): number {
  switch (kind) {
    case 'rejected':
    case 'denied':
    case 'keychain':
    case 'locked':
      return REFUSED;
    case 'file':
      return FILE;
    case 'offline':
    case 'server':
    case 'unreadable':
    case 'limited':
      return UNREACHED;
    case 'cancelled':
    case 'unknown':
      return INCOMPLETE;
    case 'bug':
      return DEFECT;
  }
}

function refused(failure: Failure): number {
  const code = failure.code === undefined ? '' : ` (code ${failure.code})`;
  printLine(`✗ ${failure.message}${code}\n  ${failure.next}`);
  return codeOf(failure);
}

async function run(options: ExportOptions, signal: AbortSignal): Promise<number> {
  const secret = await secretOf(options);
  if (!secret.ok) return refused(secret.failure);
  const limit = new RateLimit(() => performance.now());
  const client = createClient({
    limit,
    baseUrl: options.baseUrl,
    credentials: { key: options.key, secret: secret.data.secret, headers: secret.data.headers },
    signing: options.signing,
    clock,
  });
  try {
    // Requested first: it verifies address, key and signing, and lists the contracts.
    const [contracts, orders] = [await client.symbolConfig(), await client.orderHistory({})];
    if (!contracts.ok) return refused(contracts.failure);
    if (!orders.ok) return refused(orders.failure);
    const opened = await openArchive({
      file: options.archive,
      connectionId: accountId(options),
      clock,
    });
    if (!opened.ok) return refused(opened.failure);
    const archive = opened.data;
    if (archive.movedAside !== null) printLine(`! ${archive.movedAside.message}`);
    try {
      return await fillAndWrite(
        options,
        { client, limit },
        archive,
        contracts.data.map(tradedContract),
        signal,
      );
    } finally {
      await archive.close();
    }
  } finally {
    await client.close();
  }
}

/** Identifies the account. An archive belongs to one account: opening a file of another fails. */
const accountId = ({ baseUrl, key }: ExportOptions): string =>
  `export-${createHash('sha256').update(`${baseUrl}\n${key}`).digest('hex').slice(0, 24)}`;

async function fillAndWrite(
  options: ExportOptions,
  exchange: Pick<SyncPorts, 'client' | 'limit'>,
  archive: Archive,
  contracts: readonly ReturnType<typeof tradedContract>[],
  signal: AbortSignal,
): Promise<number> {
  const { protocol } = new URL(options.baseUrl);
  const end = await fill(
    {
      ...exchange,
      archive,
      contracts: contracts.map(({ symbol }) => symbol),
      clock,
      timers,
      waitMs: options.waitMs,
      onStatus: progress(),
      signal,
    },
    protocol === 'http:',
  );
  printLine(statusLine(end.status));
  if (!end.complete) {
    const code = end.failure === null ? INCOMPLETE : refused(end.failure);
    if (signal.aborted || !options.allowIncomplete) {
      printLine('Not complete: no file was written. Run it again with the same --archive to go on.');
      return code === UNREACHED || code === REFUSED || code === FILE ? code : INCOMPLETE;
    }
    printLine('! Not complete: the file holds only what was read.');
  }
  const finding = await archive.profit({ contracts, setting: options.profit });
  if (!finding.ok) return refused(finding.failure);
  const job = archive.exportCsv({ ...options.query, account: options.account }, options.out, () => undefined);
  signal.addEventListener('abort', () => job.cancel());
  const step = await job.done;
  if (step.state === 'cancelled') return INCOMPLETE;
  if (step.failure !== null) {
    const code = refused(step.failure);
    return code === DEFECT ? DEFECT : step.failure.field === 'timeZone' ? USAGE : FILE;
  }
  console.log(`${step.rows} rows, ${step.bytes} bytes: ${options.out}`);
  console.log(profitLine(finding.data));
  if (step.controlTotals !== null) for (const line of addsUpTo(step.controlTotals)) console.log(line);
  return end.complete ? OK : INCOMPLETE;
}

const profitLine = ({ found, convention, before, after, afterAll, undecidable }: ProfitFinding): string =>
  `profit of an order: ${found ?? `undecided, read as ${convention}`} (closed positions: ${before} before-fees, ` +
  `${after} after-fees, ${afterAll} after-all-fees, ${undecidable} undecidable)`;

const statusLine = ({ stored, total, orders }: SyncStatus): string =>
  `trades ${stored} of ${total ?? 'an unknown number'} · orders ${orders.stored}`;

/** A line about every two seconds. */
function progress(): (status: SyncStatus) => void {
  let printedAt = clock.now();
  return (status) => {
    if (clock.now() - printedAt < 2_000) return;
    printedAt = clock.now();
    printLine(statusLine(status) + (status.failure === null ? '' : ` · ${status.failure.message}`));
  };
}

function addsUpTo({ trades, fees, agrees, profit, free }: ControlTotals): string[] {
  const sums = (list: ControlTotals['fees']): string =>
    list.map(({ asset, amount }) => `${amount} ${asset}`).join(', ') || 'none';
  return [
    `trades: ${trades}, of them without a fee: ${free}`,
    `fees: ${sums(fees)}`,
    `against the archive: ${agrees ? 'agrees' : 'DIFFERS'}`,
    ...(profit === null
      ? []
      : [
          `profit: ${sums(profit.sums)} of ${profit.orders} closing orders`,
          `trades whose order is not stored, their profit missing: ${profit.uncovered}`,
          `open orders, left out: ${profit.open}`,
        ]),
    'funding: not in these histories',
  ];
}

const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort());
try {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === null) console.log(HELP);
  else process.exitCode = await run(options, ending.signal);
} catch (error) {
  if (error instanceof UsageError) {
    printLine(`✗ ${error.message}\n  npm run export -- --help lists the arguments.`);
    process.exitCode = USAGE;
  } else {
    printLine(
      `✗ A defect of Ballast (${error instanceof Error ? error.name : 'unknown'}). Please report this line.`,
    );
    process.exitCode = DEFECT;
  }
}
