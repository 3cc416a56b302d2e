/**
 * Sends SIGKILL at every write point of an order's life and at random times between confirmation and final state.
 * Then compares what the exchange received with what the next start reads from the journal.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { seededRandom } from '../domain/lost-orders.ts';
import { openJournal } from '../../src-main/orders/journal/journal.ts';
import type { ChildLine, ChildOrder, KillPoint } from './crash-child.ts';
import { pricesIn, startKillServer, type KillServer } from './crash-server.ts';

export interface CrashFigures {
  kills: number;
  atWritePoints: number;
  atArrival: number;
  atRandom: number;
  whileStarting: number;
  /** Completed: the kill point or time came after its end. */
  unhurt: number;
  /** Orders that arrived at the exchange. */
  sent: number;
  sentWithoutRecord: number;
  resent: number;
  /** `not sent` though it arrived, accepted as another order, or still in flight after a start. */
  falseVerdicts: number;
}

/** Starts with the same journal before a new one begins. */
const STARTS = 20;
/**
 * Write points of a start that recovers, and of the three kinds of send: (append of 4 points, POST of 2, append of
 * 4) × calls.
 */
const START_POINTS = 4;
const KINDS = [
  { rows: 1, callSize: 1, points: 10 },
  { rows: 3, callSize: 2, points: 20 },
  { rows: 3, callSize: 1, points: 30 },
] as const;
/** About the time from confirmation to final state here, with replies delayed by up to 4 ms each. */
const RANDOM_MS = 45;

type How = { readonly point: KillPoint } | 'arrival' | 'random';

export interface CrashTestOptions {
  readonly kills: number;
  readonly seed: number;
  /** The script that runs `runChild` with its last argument. */
  readonly command: readonly string[];
}

export async function runCrashTest({ kills, seed, command }: CrashTestOptions): Promise<CrashFigures> {
  const random = seededRandom(seed);
  const server = await startKillServer(random);
  const folder = mkdtempSync(join(tmpdir(), 'ballast-kills-'));
  const figures: CrashFigures = {
    kills: 0,
    atWritePoints: 0,
    atArrival: 0,
    atRandom: 0,
    whileStarting: 0,
    unhurt: 0,
    sent: 0,
    sentWithoutRecord: 0,
    resent: 0,
    falseVerdicts: 0,
  };
  let file = '';
  let price = 100_000;
  const start = (order: Pick<ChildOrder, 'send' | 'kill'>, how: How | null, turn: number) =>
    oneStart(
      { ...order, url: server.url, file, name: `${seed}-${turn}` },
      { command, how, server, random, folder },
    );
  try {
    for (let turn = 0; figures.kills < kills; turn++) {
      if (turn % STARTS === 0) file = join(folder, `orders-${turn}.jsonl`);
      const kind = KINDS[turn % KINDS.length]!;
      const how = nextKill(turn, kind.points, random);
      const prices = Array.from({ length: kind.rows }, () => `${++price}.5`);
      const kill = typeof how === 'object' ? how.point : null;
      const ended = await start({ send: { prices, callSize: kind.callSize }, kill }, how, turn);
      check(ended.found, server, figures);
      if (!ended.killed) figures.unhurt++;
      else {
        figures.kills++;
        if (how === 'arrival') figures.atArrival++;
        else if (how === 'random') figures.atRandom++;
        else if (how.point.phase === 'start') figures.whileStarting++;
        else figures.atWritePoints++;
      }
      if (turn % STARTS === STARTS - 1 || figures.kills >= kills) {
        // Recovers from the last kill of this journal too, and reads it completely once more.
        const last = await start({ send: null, kill: null }, null, turn + 1_000_000);
        check(last.found, server, figures);
        await checkWhole(file, server, figures);
        server.arrived.clear();
      }
    }
    return figures;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Every write point in turn, then as many at random times; sometimes during the start or at the arrival. */
function nextKill(turn: number, points: number, random: () => number): How {
  if (turn % 2 === 1) return 'random';
  if (turn % 16 === 4) return 'arrival';
  const torn = random();
  if (turn % 16 === 10)
    return { point: { phase: 'start', at: 1 + Math.floor(random() * START_POINTS), torn } };
  return { point: { phase: 'send', at: 1 + (Math.floor(turn / 2 / KINDS.length) % points), torn } };
}

interface Started {
  readonly command: readonly string[];
  readonly how: How | null;
  readonly server: KillServer;
  readonly random: () => number;
  readonly folder: string;
}

type Found = Extract<ChildLine, { found: unknown }>['found'];

async function oneStart(
  order: ChildOrder,
  { command, how, server, random, folder }: Started,
): Promise<{ readonly found: Found; readonly killed: boolean }> {
  const [program = '', ...args] = command;
  const child = spawn(program, [...args, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (signal === null && code !== 0) reject(new Error(`the order path ended with code ${String(code)}`));
      else resolve(signal);
    });
  });
  const kill = (): void => void child.kill('SIGKILL');
  server.onArrival = () => {
    if (how === 'arrival') kill();
  };
  let found: Found = [];
  createInterface(child.stdout).on('line', (text) => {
    const line = JSON.parse(text) as ChildLine;
    if ('found' in line) found = line.found;
    if ('confirmed' in line && how === 'random') setTimeout(kill, random() * RANDOM_MS);
  });
  return { killed: (await ended) === 'SIGKILL', found };
}

function check(found: Found, { arrived }: KillServer, figures: CrashFigures): void {
  for (const { body, state, orderId } of found) {
    const order = arrived.get(pricesIn(body)[0] ?? '');
    const possible =
      state === 'accepted'
        ? order?.orderId === orderId
        : state === 'not-sent'
          ? order === undefined
          : state === 'unknown';
    if (!possible) figures.falseVerdicts++;
  }
}

/** Compares all arrivals with the journal as a later start reads it. */
async function checkWhole(file: string, { arrived }: KillServer, figures: CrashFigures): Promise<void> {
  const journal = await openJournal({
    // A kill before the first record leaves no file.
    read: () => Promise.resolve(existsSync(file) ? readFileSync(file) : null),
    append: () => Promise.reject(new Error('only read')),
  });
  const recorded = new Set(journal.list('killed').flatMap((one) => pricesIn(one.body)));
  for (const [price, { times }] of arrived) {
    figures.sent++;
    if (!recorded.has(price)) figures.sentWithoutRecord++;
    figures.resent += times - 1;
  }
}
