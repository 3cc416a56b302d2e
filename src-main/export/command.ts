/** The export as a command, without a window: `ballast export`, or by npm. */
import { statSync } from 'node:fs';
import type { ProfitFinding } from '../../src-shared/ipc/profit.ts';
import type { Failure } from '../../src-shared/ipc/failures.ts';
import type { SyncStatus } from '../../src-shared/ipc/trades.ts';
import type { MonotonicClock, Timers } from '../../src-shared/time.ts';
import { notWritten } from '../archive/sqlite/errors.ts';
import { createClient } from '../exchange/client.ts';
import { BAN, RateLimit } from '../exchange/rate-limit.ts';
import { failureOnce } from '../exchange/read-outcome.ts';
import { COUNT_FIELD } from '../sync/trade-checkpoint.ts';
import { accessOf, type ExportAccess } from './access.ts';
import { controlTotalsLines, unnamedIn, unnamedLine } from './control-totals-text.ts';
import { helpText, readOptions, UsageError, type ExportOptions } from './options.ts';
import { runExport, type ExportEnd, type WrittenExport } from './run.ts';
import { createAtomicFile } from '../../src-files/atomic-file.ts';
import { errorName } from '../../src-files/error-code.ts';
import { counted } from '../../src-shared/domain/display/counted.ts';
import { flawsOf } from './flaws.ts';

const [OK, USAGE, REFUSED, INCOMPLETE, FILE, UNREACHED, DEFECT] = [0, 1, 2, 3, 4, 5, 6];

export interface CommandPorts {
  /** How it is called, for its texts. */
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
  /** The app's profile folder. */
  readonly profile: string;
  readonly clock: MonotonicClock;
  readonly timers: Timers;
  /** Writes a line to stdout, and to stderr. */
  readonly print: (line: string) => void;
  readonly report: (line: string) => void;
  /** Interrupts it. */
  readonly signal: AbortSignal;
}

/** Runs it and returns its exit code. Never rejects. */
export async function exportCommand(args: readonly string[], ports: CommandPorts): Promise<number> {
  const { program, print, report } = ports;
  try {
    const options = readOptions(args, ports.env, ports.clock.now());
    if (options !== null) return await run(options, ports);
    print(helpText(program));
    return OK;
  } catch (error) {
    if (error instanceof UsageError) {
      report(`✗ ${error.message}\n  ${program} --help lists the arguments.`);
      return USAGE;
    }
    report(`✗ This is a bug in Ballast (${errorName(error)}). Please report this line.`);
    return DEFECT;
  }
}

async function run(options: ExportOptions, ports: CommandPorts): Promise<number> {
  const failure = outFailure(options.out);
  if (failure !== null) {
    ports.report(failureText(failure));
    return codeOf(failure);
  }
  const access = await accessOf(options, options.profile ?? ports.profile, ports);
  if (ports.signal.aborted) return INCOMPLETE;
  if (!access.ok) {
    ports.report(failureText(access.failure));
    return codeOf(access.failure);
  }
  const end = await exported(options, access.data, ports);
  reportEnd(end, options, ports);
  return exitCode(end);
}

/** Returns why the file cannot be written. Asked first: reading a whole history may take an hour. */
function outFailure(out: string): Failure | null {
  try {
    const present = statSync(out, { throwIfNoEntry: false });
    if (present?.isDirectory() === true) throw Object.assign(new Error(), { code: 'EISDIR' });
    createAtomicFile(out).discard();
    if (present === undefined || present.isFile()) return null;
  } catch (error) {
    return notWritten(error, out);
  }
  return {
    kind: 'file',
    message: `${out} was not written: it is a device or a pipe, which would be replaced.`,
    next: 'Choose another name.',
  };
}

function exported(
  { query, out, waitMs, allowIncomplete, ...options }: ExportOptions,
  { settings, secret, archive, name }: ExportAccess,
  { clock, timers, report, signal }: CommandPorts,
): Promise<ExportEnd> {
  const { baseUrl, apiKey, signing } = settings;
  const limit = new RateLimit(() => clock.mono());
  const credentials = { key: apiKey, secret: secret.secret, headers: secret.headers };
  const client = createClient({ limit, baseUrl, credentials, signing, clock });
  const task = {
    archive,
    out,
    allowIncomplete,
    query: { ...query, account: options.account ?? name },
    profit: options.profit ?? settings.profit ?? null,
  };
  const isLocal = new URL(baseUrl).protocol === 'http:';
  const onStatus = progress(clock, report);
  return runExport(task, { client, limit, clock, timers, waitMs, isLocal, signal, onStatus });
}

function exitCode({ status, incomplete, failure, written }: ExportEnd): number {
  if (written !== null) return incomplete === null && (status === null || isWhole(status)) ? OK : INCOMPLETE;
  if (failure !== null) {
    if (status === null || failure.kind === 'bug') return codeOf(failure);
    return failure.field === 'timeZone' ? USAGE : FILE;
  }
  const cause = incomplete?.failure ?? null;
  const code = cause === null || cause.field === COUNT_FIELD ? INCOMPLETE : codeOf(cause);
  return code === UNREACHED || code === REFUSED || code === FILE ? code : INCOMPLETE;
}

function codeOf({ kind }: Failure): number {
  switch (kind) {
    case 'rejected':
    case 'blocked':
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

function reportEnd(
  { movedAside, unlisted, status, incomplete, failure, written }: ExportEnd,
  { out, allowIncomplete, query }: ExportOptions,
  { print, report, signal }: CommandPorts,
): void {
  if (movedAside !== null) report(`! ${movedAside}`);
  for (const name of unlisted)
    report(`! --symbol ${name}: the exchange lists no contract of this name. It is delisted or misspelled.`);
  if (status !== null) {
    report(statusLine(status));
    for (const flaw of flawsOf(status)) report(`! ${flaw}`);
  }
  if (incomplete !== null) {
    if (incomplete.failure !== null) report(failureText(incomplete.failure));
    report(
      signal.aborted || !allowIncomplete
        ? 'Not complete: no file was written. Run it again with the same --archive to go on.'
        : '! Not complete: the file holds only what was read.',
    );
  }
  if (failure !== null) report(failureText(failure));
  if (written === null) return;
  for (const line of writtenLines(written, out)) print(line);
  const unnamed = unnamedIn(written.controlTotals, query);
  if (unnamed.length > 0) report(unnamedLine(unnamed));
}

function failureText(failure: Failure): string {
  const { message, next, code, status } = failureOnce(failure);
  // The command has no button to retry.
  const way = status === BAN.status ? 'Run it again later. Running it too early may extend the ban.' : next;
  return `✗ ${message}${code === undefined ? '' : ` (code ${code})`}\n  ${way}`;
}

const statusLine = ({ stored, total, orders }: SyncStatus): string =>
  `trades ${stored} of ${total ?? 'an unknown number'} · orders ${orders.stored}`;

/** Reports whether the read history has all records; it is verified as complete but for them. */
const isWhole = ({ unreadable, orders }: SyncStatus): boolean => unreadable === 0 && orders.gaps === 0;

/** Reports a line about every two seconds. */
function progress(clock: MonotonicClock, report: (line: string) => void): (status: SyncStatus) => void {
  let reportedAt = clock.mono();
  return (status) => {
    if (clock.mono() - reportedAt < 2_000) return;
    reportedAt = clock.mono();
    report(statusLine(status) + (status.failure === null ? '' : ` · ${status.failure.message}`));
  };
}

const writtenLines = ({ rows, bytes, profit, controlTotals }: WrittenExport, out: string): string[] => [
  `${counted(rows, 'row')}, ${bytes} bytes: ${out}`,
  profitLine(profit),
  ...(controlTotals === null ? [] : controlTotalsLines(controlTotals)),
];

const profitLine = ({ found, convention, before, after, afterAll, undecidable }: ProfitFinding): string =>
  `closed PnL of an order: ${found ?? `not detected, read as ${convention}`} (closed positions: ${before} before-fees, ` +
  `${after} after-fees, ${afterAll} after-all-fees, ${undecidable} that do not show it)`;
