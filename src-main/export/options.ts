/** Parses and checks the arguments of an export before anything is opened or requested. */
import { closeSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { PROFIT_CONVENTIONS, type ProfitConvention } from '../../src-shared/domain/history/profit-fit.ts';
import { baseUrlFault } from '../../src-shared/ipc/connections.ts';
import { exportQuerySchema, PRESETS, TAX_PRESETS, type ExportQuery } from '../../src-shared/ipc/exports.ts';
import { SIGNING_PRESETS, signingProfileSchema, type SigningProfile } from '../../src-shared/ipc/signing.ts';
import { DEFAULT_TAX } from '../../src-shared/ipc/default-settings.ts';
import { NO_FILTER, TRADE_COLUMNS } from '../../src-shared/ipc/trades.ts';
import { RANGES, rangeSpan, type TimeSpan } from '../../src-shared/domain/display/day-range.ts';
import { zonedSpan } from '../../src-shared/domain/display/zoned-time.ts';
import { quoted } from '../../src-shared/domain/numeric/number-input.ts';

/** @param program how it is called: `ballast export`, or by npm */
export const helpText = (
  program: string,
): string => `Reads an account's history from the exchange and writes it as CSV, without a window.

  ${program} --connection NAME --out FILE [options]
  ${program} --base-url URL --key-env NAME --secret-env NAME --signing FILE --out FILE [options]

  --connection NAME     a connection of Ballast, by its name; its secret comes from the keychain
  --profile FOLDER      Ballast's profile folder, where its connections are (default: the app's own)

  --base-url URL        base URL of the exchange API (https, or http on this computer)
  --key-env NAME        environment variable that holds the API key
  --secret-env NAME     environment variable that holds the secret
  --keychain ID         instead of --secret-env: the keychain item of Ballast's connection ID
  --header-env H=NAME   value of the secret header H of the signing profile, from the variable NAME
  --signing FILE        signing profile as JSON, or the name of one: ${Object.keys(SIGNING_PRESETS).join(', ')}
  --out FILE            the CSV; replaced only when the new one is complete
  --archive FILE        stores what was read, so that the next run reads only newer records
                        (default: one for each --connection in the profile folder, else FILE of --out with
                        .archive.sqlite); never an archive of the app
  --table NAME          trades or orders (default trades)
  --preset NAME         layout: ${PRESETS.join(', ')} (default full);
                        a tax tool prescribes time format, decimal mark and separator
  --columns A,B         columns of the preset custom, in this order
  --from, --to TIME     YYYY-MM-DD [HH:MM:SS] in UTC, or milliseconds; both inclusive
  --period NAME         instead of them, in --time-zone: ${RANGES.join(', ')}
  --symbol NAME         only this contract; may be given more than once
  --time-format NAME    iso or epoch-ms (default iso)
  --time-zone NAME      such as Europe/Zurich (default UTC)
  --decimal-mark NAME   point or comma (default point)
  --separator NAME      comma, semicolon or tab (default comma)
  --spreadsheet-safe    a leading ' before IDs that a spreadsheet would change: more than 15 digits, leading zeros
  --koinly-header NAME  Tag or Label (default Tag)
  --rotki-asset C=ID    rotki's identifier of coin C; may be given more than once
  --account NAME        what tax tools call the account (default NAME of --connection, or the host of --base-url)
  --profit NAME         before-fees or after-fees: how the exchange counts an order's closed PnL, if closed positions do not
                        show it
  --wait SECONDS        how long to retry while the exchange cannot be reached (default 120)
  --allow-incomplete    write the file although it could not be verified as complete; still exits with 3
  --help                this text

The secret comes from the environment or the keychain only; it is never an argument and never printed. Progress goes
to stderr, the totals of the file to stdout. An interrupted run resumes when given the same --archive. Ballast may be
open meanwhile: its own archive is neither read nor written.

Exit codes
  0  the file is written and its history is verified as complete
  1  an argument is wrong; nothing was requested
  2  rejected by the exchange, or key, secret, signing or keychain fail
  3  not complete: interrupted, the exchange's count and its pages differ, or records that cannot be read or listed
  4  a file could not be read, checked or written, or another export uses it; an old file at --out is unchanged
  5  the exchange could not be reached, failed, or allowed no requests
  6  a bug in Ballast
`;

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** An account as the arguments spell it. */
export interface TypedAccount {
  readonly from: 'arguments';
  readonly baseUrl: string;
  readonly key: string;
  readonly secret:
    | { readonly from: 'environment'; readonly value: string }
    | { readonly from: 'keychain'; readonly id: string };
  readonly headers: Readonly<Record<string, string>>;
  readonly signing: SigningProfile;
}

export interface ExportOptions {
  readonly source: TypedAccount | { readonly from: 'connection'; readonly name: string };
  /** Ballast's profile folder; null for the default. */
  readonly profile: string | null;
  readonly out: string;
  /** Null for the default. */
  readonly archive: string | null;
  /** What tax tools call the account; null for the default. */
  readonly account: string | null;
  readonly profit: ProfitConvention | null;
  readonly waitMs: number;
  readonly allowIncomplete: boolean;
  readonly query: Omit<ExportQuery, 'connectionId' | 'table'> & { readonly table: 'trades' | 'orders' };
}

const text = { type: 'string' } as const;
const OPTIONS = {
  connection: text,
  profile: text,
  'base-url': text,
  'key-env': text,
  'secret-env': text,
  keychain: text,
  'header-env': { type: 'string', multiple: true },
  signing: text,
  out: text,
  archive: text,
  table: text,
  preset: text,
  columns: text,
  from: text,
  to: text,
  period: text,
  symbol: { type: 'string', multiple: true },
  'time-format': text,
  'time-zone': text,
  'decimal-mark': text,
  separator: text,
  'spreadsheet-safe': { type: 'boolean', default: false },
  'koinly-header': text,
  'rotki-asset': { type: 'string', multiple: true },
  account: text,
  profit: text,
  wait: text,
  'allow-incomplete': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/**
 * Returns null when help was requested. Throws UsageError; its text never holds a secret. `now`: wall clock, ms, of which
 * a period is counted.
 */
export function readOptions(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  now: number,
): ExportOptions | null {
  const given = parsed(args);
  if (given.help) return null;
  const out = fileOf(needed(given, 'out'));
  const archive = given.archive === undefined ? null : archiveOf(given.archive);
  if (archive === out) throw new UsageError('--archive and --out name the same file');
  const table = given.table ?? 'trades';
  if (table !== 'trades' && table !== 'orders')
    throw new UsageError(`--table: ${quoted(table)} is not trades or orders`);
  const { connectionId: _none, ...query } = queryOf(given, table, now);
  return {
    source: sourceOf(given, env),
    profile: given.profile === undefined ? null : resolve(given.profile),
    out,
    archive,
    account: given.account ?? null,
    profit: profitOf(given.profit),
    waitMs: seconds(given.wait ?? '120') * 1_000,
    allowIncomplete: given['allow-incomplete'],
    query: { ...query, table },
  };
}

/** Returns the absolute path of a file. One that is a link is the file it names, which is locked and replaced, not the link. */
function fileOf(given: string): string {
  const path = resolve(given);
  try {
    return realpathSync(path);
  } catch {
    return path; // there is none yet
  }
}

const DATABASE_HEADER = 'SQLite format 3\0';

/** Returns the absolute path of an archive. A file of another kind is refused: opening it would rename it as damaged. */
function archiveOf(given: string): string {
  const path = fileOf(given);
  if (!['', DATABASE_HEADER].includes(startOf(path)))
    throw new UsageError(`--archive: ${path} is not a trade archive; name another file, or a new one`);
  return path;
}

/** Returns the first bytes of a file; none if it cannot be read, which is reported when it is opened. */
function startOf(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return '';
  const start = Buffer.alloc(DATABASE_HEADER.length);
  try {
    const file = openSync(path, 'r');
    try {
      return start.toString('latin1', 0, readSync(file, start));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

function needed(given: Given, name: 'base-url' | 'key-env' | 'signing' | 'out'): string {
  const value = given[name];
  if (value === undefined || value === '') throw new UsageError(`--${name} is missing`);
  return value;
}

/** What a connection of Ballast has itself. */
const OF_CONNECTION = ['base-url', 'key-env', 'secret-env', 'keychain', 'header-env', 'signing'] as const;

function sourceOf(given: Given, env: NodeJS.ProcessEnv): ExportOptions['source'] {
  const { connection } = given;
  if (connection !== undefined) {
    const twice = OF_CONNECTION.find((name) => given[name] !== undefined);
    if (twice !== undefined)
      throw new UsageError(`--${twice}: a connection has its own; leave it out, or leave out --connection`);
    return { from: 'connection', name: connection };
  }
  const baseUrl = needed(given, 'base-url');
  const fault = baseUrlFault(baseUrl);
  if (fault !== null) throw new UsageError(`--base-url: ${fault}`);
  return {
    from: 'arguments',
    baseUrl,
    key: variable('key-env', needed(given, 'key-env'), env),
    secret: secretOf(given, env),
    headers: headersOf(given['header-env'] ?? [], env),
    signing: profile(needed(given, 'signing')),
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'the arguments cannot be read');
  }
}
type Given = ReturnType<typeof parsed>;

function variable(option: string, name: string, env: NodeJS.ProcessEnv): string {
  const value = env[name];
  if (value === undefined || value === '')
    throw new UsageError(`--${option}: the environment has no ${name}, or it is empty`);
  return value;
}

function secretOf(given: Given, env: NodeJS.ProcessEnv): TypedAccount['secret'] {
  const { keychain, 'secret-env': name } = given;
  if ((keychain === undefined) === (name === undefined))
    throw new UsageError('Give one of --secret-env and --keychain, not both');
  if (keychain !== undefined) return { from: 'keychain', id: keychain };
  return { from: 'environment', value: variable('secret-env', name ?? '', env) };
}

/** Reads `NAME=VALUE` of each; a fault is `usage`. */
function pairs(list: readonly string[], usage: string): (readonly [string, string])[] {
  return list.map((one) => {
    const at = one.indexOf('=');
    if (at < 1) throw new UsageError(usage);
    return [one.slice(0, at), one.slice(at + 1)];
  });
}

function headersOf(list: readonly string[], env: NodeJS.ProcessEnv): Record<string, string> {
  const named = pairs(list, '--header-env must be HEADER=VARIABLE');
  return Object.fromEntries(named.map(([header, name]) => [header, variable('header-env', name, env)]));
}

const isPreset = (name: string): name is keyof typeof SIGNING_PRESETS => Object.hasOwn(SIGNING_PRESETS, name);

function profile(given: string): SigningProfile {
  if (isPreset(given)) return SIGNING_PRESETS[given].profile;
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(given, 'utf8'));
  } catch (error) {
    throw new UsageError(
      `--signing ${given}: ${error instanceof SyntaxError ? 'it is not JSON' : 'it cannot be read'}`,
    );
  }
  const result = v.safeParse(signingProfileSchema, json);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new UsageError(`--signing ${given}, ${v.getDotPath(issue) ?? 'profile'}: ${issue.message}`);
}

function profitOf(given: string | undefined): ProfitConvention | null {
  const convention = PROFIT_CONVENTIONS.find((one) => one === given);
  if (given !== undefined && convention === undefined)
    throw new UsageError(`--profit: ${quoted(given)} is not ${PROFIT_CONVENTIONS.join(' or ')}`);
  return convention ?? null;
}

function seconds(given: string): number {
  if (!/^\d{1,6}$/.test(given))
    throw new UsageError(`--wait: ${quoted(given)} is not a whole number of seconds, such as 120`);
  return Number.parseInt(given, 10);
}

function time(option: 'from' | 'to', given: string | undefined): number | null {
  if (given === undefined) return null;
  // Ten digits are seconds, as `date +%s` writes them: as milliseconds they would be a day of 1970.
  if (/^\d{12,16}$/.test(given)) return Number.parseInt(given, 10);
  const span = zonedSpan(given, 'UTC');
  if (span === null)
    throw new UsageError(`--${option}: ${quoted(given)} is not YYYY-MM-DD [HH:MM:SS] or milliseconds`);
  return option === 'from' ? span.first : span.last;
}

function typedSpan(given: Given): TimeSpan {
  const from = time('from', given.from);
  const to = time('to', given.to);
  if (from !== null && to !== null && from > to) throw new UsageError('--from is after --to');
  return { from, to };
}

function zoneOf({ 'time-zone': zone = 'UTC' }: Given): string {
  try {
    rangeSpan('today', 0, zone);
    return zone;
  } catch {
    throw new UsageError(`--time-zone: ${quoted(zone)} is not a time zone, such as Europe/Zurich`);
  }
}

function periodSpan({ from, to }: Given, period: string, zone: string, now: number): TimeSpan {
  if (from !== undefined || to !== undefined)
    throw new UsageError('--period replaces --from and --to; leave them out, or leave out --period');
  const name = RANGES.find((one) => one === period);
  if (name === undefined)
    throw new UsageError(`--period: ${quoted(period)} is not one of ${RANGES.join(', ')}`);
  return rangeSpan(name, now, zone);
}

/** Of a tax tool's layout. */
const PRESCRIBED = ['time-format', 'decimal-mark', 'separator', 'spreadsheet-safe'] as const;

/** Throws for an argument that would change nothing. */
function checkLayout(given: Given, table: 'trades' | 'orders'): void {
  const { preset, columns } = given;
  if (table === 'orders' && (preset ?? columns) !== undefined)
    throw new UsageError(
      `--${preset === undefined ? 'columns' : 'preset'}: the order history has all its fields; leave it out, or leave out --table`,
    );
  if (columns !== undefined && preset !== 'custom')
    throw new UsageError('--columns: they are of --preset custom only; add it, or leave them out');
  if (!TAX_PRESETS.some((one) => one === preset)) return;
  const prescribed = PRESCRIBED.find((name) => (given[name] ?? false) !== false);
  if (prescribed !== undefined)
    throw new UsageError(`--${prescribed}: a tax tool prescribes it; leave it out`);
}

function queryOf(given: Given, table: 'trades' | 'orders', now: number): ExportQuery {
  checkLayout(given, table);
  const timeZone = zoneOf(given);
  const { from, to } =
    given.period === undefined ? typedSpan(given) : periodSpan(given, given.period, timeZone, now);
  const result = v.safeParse(exportQuerySchema, {
    connectionId: 'export',
    table,
    preset: given.preset ?? 'full',
    filter: { ...NO_FILTER, symbols: given.symbol ?? [], from, to },
    columns: given.columns?.split(',') ?? [...TRADE_COLUMNS],
    timeFormat: given['time-format'] ?? 'iso',
    timeZone,
    decimalMark: given['decimal-mark'] ?? 'point',
    separator: given.separator ?? 'comma',
    spreadsheetSafe: given['spreadsheet-safe'],
    tax: {
      koinlyHeader: given['koinly-header'] ?? DEFAULT_TAX.koinlyHeader,
      rotkiAssets: Object.fromEntries(
        pairs(given['rotki-asset'] ?? [], '--rotki-asset must be COIN=IDENTIFIER'),
      ),
    },
  });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const [part = '', option = ''] = (v.getDotPath(issue) ?? '').split('.');
  const field = part === 'tax' ? (option === 'rotkiAssets' ? 'rotkiAsset' : option) : part;
  throw new UsageError(`--${field.replace(/[A-Z]/g, (one) => `-${one.toLowerCase()}`)}: ${reason(issue)}`);
}

/** Returns what is wrong; of a list of names, all of them. */
function reason({ type, input, expected, message }: v.InferIssue<typeof exportQuerySchema>): string {
  if (type !== 'picklist' || typeof input !== 'string') return message;
  return `${quoted(input)} is not one of ${expected.replaceAll(/[()"]/g, '').replaceAll(' | ', ', ')}`;
}
