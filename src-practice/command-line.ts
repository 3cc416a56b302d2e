/**
 * The command line of the practice exchange (`npm run practice -- …`). Prints how to connect and runs until SIGTERM or
 * Ctrl C.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { errorCode } from '../src-files/error-code.ts';
import { MOST_CONTRACTS, STANDARD_CONTRACTS } from './engine/contract-list.ts';
import { DEFAULT_HISTORY } from './engine/engine.ts';
import { DEFAULT_HABITS, HABIT_NAMES, HabitFault, HABITS, namedHabits } from './habits.ts';
import type { Habit } from './habits.ts';
import { DEFAULT_SEED, OtherExchange, startPractice } from './start.ts';
import type { Practice, PracticeOptions } from './start.ts';

const HELP = `Practice exchange: serves the exchange API of Ballast over HTTP on 127.0.0.1.

  npm run practice -- [options]

  --port N            port of the API; 0 picks a free one (default 0)
  --seed N            seed of prices and of the account's past (default ${DEFAULT_SEED})
  --speed N           speed of the clock: 1 real time, 0 moved by the controls only (default 1)
  --history N         trades of the account's past (default ${DEFAULT_HISTORY})
  --contracts N       number of contracts: the ${STANDARD_CONTRACTS} standard ones (every kind, two deliveries), then generated
                      ones, up to ${MOST_CONTRACTS} (default ${STANDARD_CONTRACTS})
  --habit NAME=VALUE  one choice the API leaves open, may be repeated; --habit list shows names and values
  --habits FILE       the same from a JSON file, such as {"page-base": "0", "decimals": "long"}
  --page-base 0|1     habit page-base
  --max-page-size N   habit page-size
  --order WORD        habits trade-order and order-order: asc, desc or none
  --convention WORD   habit tiers: flat or marginal
  --data FOLDER       store the exchange there and resume it at the next start (default: not stored)
  --json              print one JSON line when ready: {"url","key","secret","controls":{"url","token"}}
  --help              this text

Requests are signed: see docs/practice-exchange.md for curl. SIGTERM or Ctrl C ends it.
`;

class UsageError extends Error {
  override readonly name = 'UsageError';
}

const OPTIONS = {
  port: { type: 'string' },
  seed: { type: 'string' },
  speed: { type: 'string' },
  history: { type: 'string' },
  contracts: { type: 'string' },
  'page-base': { type: 'string' },
  'max-page-size': { type: 'string' },
  order: { type: 'string' },
  convention: { type: 'string' },
  habit: { type: 'string', multiple: true },
  habits: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

function integer(name: string, text: string | undefined, low: number, high: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,15}$/.test(text) ? Number.parseInt(text, 10) : -1;
  if (value < low || value > high)
    throw new UsageError(`--${name}: “${text.slice(0, 40)}” is not a whole number from ${low} to ${high}`);
  return value;
}

function word<Word extends string>(
  name: string,
  text: string | undefined,
  words: readonly Word[],
): Word | undefined {
  if (text === undefined) return undefined;
  const found = words.find((each) => each === text);
  if (found === undefined)
    throw new UsageError(`--${name}: “${text.slice(0, 40)}” is not one of ${words.join(', ')}`);
  return found;
}

/** Reads the habits of a file and of the command line; the command line wins. */
function habits(file: string | undefined, lines: readonly string[]): PracticeOptions['habits'] {
  if (file === undefined && lines.length === 0) return undefined;
  const named = lines.map((line) => {
    const at = line.indexOf('=');
    if (at < 1) throw new UsageError(`--habit: “${line.slice(0, 60)}” is not NAME=VALUE`);
    return [line.slice(0, at), line.slice(at + 1)] as const;
  });
  try {
    return {
      ...(file === undefined ? {} : namedHabits(inFile(file))),
      ...namedHabits(Object.fromEntries(named)),
    };
  } catch (error) {
    if (error instanceof HabitFault) throw new UsageError(error.message);
    throw error;
  }
}

function inFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    throw new UsageError(`--habits: ${file} ${why}`);
  }
}

function habitList(): string {
  const lines = HABIT_NAMES.flatMap((name) => {
    const { meaning, values, range }: Habit = HABITS[name];
    const more = range ? [`    or a whole number from ${range[0]} to ${range[1]}`] : [];
    const each = Object.entries(values).map(
      ([value, does]) => `  ${value === DEFAULT_HABITS[name] ? '*' : ' '} ${value}: ${does}`,
    );
    return [`${name}: ${meaning}`, ...each, ...more];
  });
  return `${lines.join('\n')}\n`;
}

interface ParsedArguments {
  readonly practice: PracticeOptions;
  readonly json: boolean;
  /** Text to print instead of starting. */
  readonly show: string | null;
}

export function readArguments(args: readonly string[]): ParsedArguments {
  const { values } = parse(args);
  const lists = values.habit?.includes('list') ?? false;
  const base = word('page-base', values['page-base'], ['0', '1']);
  const parsed = {
    port: integer('port', values.port, 0, 65_535),
    seed: integer('seed', values.seed, 0, Number.MAX_SAFE_INTEGER),
    speed: integer('speed', values.speed, 0, 3600),
    history: integer('history', values.history, 0, 10_000_000),
    contracts: integer('contracts', values.contracts, STANDARD_CONTRACTS, MOST_CONTRACTS),
    pageBase: base === undefined ? undefined : base === '0' ? (0 as const) : (1 as const),
    maxPageSize: integer('max-page-size', values['max-page-size'], 1, 1_000_000),
    order: word('order', values.order, ['asc', 'desc', 'none']),
    dataDir: values.data,
    habits: lists ? undefined : habits(values.habits, values.habit ?? []),
    convention: word('convention', values.convention, ['flat', 'marginal']),
  };
  const practice = Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined));
  return { practice, json: values.json, show: values.help ? HELP : lists ? habitList() : null };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true, allowPositionals: false });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}

/** The JSON line printed when ready; it includes the connection settings that differ from the defaults. */
const lineOf = ({ url, credentials: { key, secret }, controls, habits, settings }: Practice): string => {
  const usual =
    habits['trigger-names'] === DEFAULT_HABITS['trigger-names'] && habits.tiers === DEFAULT_HABITS.tiers;
  return JSON.stringify({ url, key, secret, controls, ...(usual ? {} : { settings }) });
};

const textOf = ({ url, credentials, controls }: Practice): string =>
  [
    'Practice exchange. Its prices are synthetic and its money is not real.',
    `  API        ${url}`,
    `  key        ${credentials.key}`,
    `  secret     ${credentials.secret}`,
    `  controls   ${controls.url}  (Authorization: Bearer ${controls.token})`,
  ].join('\n');

/** Starts the exchange; null, with the reason on stderr, if the port, the folder or what it stores does not allow it. */
async function started(options: PracticeOptions): Promise<Practice | null> {
  try {
    return await startPractice(options);
  } catch (error) {
    const why = refusalOf(error, options);
    if (why === null) throw error;
    process.stderr.write(`${why}\n`);
    process.exitCode = 1;
    return null;
  }
}

/** Returns why a start failed for what the user can change; null for any other error. */
function refusalOf(error: unknown, { port = 0, dataDir = '' }: PracticeOptions): string | null {
  if (error instanceof OtherExchange) return `--data: ${error.message}`;
  if (!(error instanceof Error) || !('syscall' in error)) return null;
  const code = errorCode(error);
  return error.syscall === 'listen'
    ? `--port: ${port} cannot be used (${code}): choose another, or 0 for a free one`
    : `--data: ${dataDir} cannot be used (${code}): name a folder that can be written`;
}

/** Runs until SIGTERM or SIGINT. The exit code is the process's. */
export async function main(args: readonly string[]): Promise<void> {
  let parsed: ParsedArguments;
  try {
    parsed = readArguments(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\nTry --help.\n`);
    process.exitCode = 2;
    return;
  }
  if (parsed.show !== null) {
    process.stdout.write(parsed.show);
    return;
  }
  const practice = await started(parsed.practice);
  if (practice === null) return;
  if (practice.movedAside !== null)
    process.stderr.write(
      `The stored exchange is damaged or of another version. It is now ${practice.movedAside}; a new one was begun.\n`,
    );
  process.stdout.write(`${parsed.json ? lineOf(practice) : textOf(practice)}\n`);
  const stop = (): void => void practice.stop();
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}
