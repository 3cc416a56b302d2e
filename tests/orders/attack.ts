/**
 * Loses replies to closes while take-profits and stops of the same position fire, connections are removed and added
 * again, and the archive is restored from backups. A triggered order has all terms of the close: only its condition id
 * distinguishes them.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { amount, multiply, printFixed } from '../../src-shared/amount.ts';
import type { OrderRequest } from '../../src-shared/exchange-api/order-request.ts';
import type { IntentRecord } from '../../src-shared/ipc/orders.ts';
import { putInPlace, readyBackup } from '../../src-main/archive/maintenance/restore.ts';
import { RequestLimiter } from '../../src-main/sync/request-limiter.ts';
import { ArchiveSync } from '../../src-main/sync/archive-sync.ts';
import { RateLimit } from '../../src-main/exchange/rate-limit.ts';
import { orderNumber } from '../archive/orders.ts';
import { createRandom, type SeededRandom } from '../shared/seeded-random.ts';
import { openArchive } from '../sync/fault-injection.ts';
import { memoryFile } from './memory-file.ts';
import { startFixture, type Fixture, type Fault } from './lost-replies.ts';
import { dataOf } from '../shared/data-of.ts';

export interface AttackFigures {
  rounds: number;
  duplicatePosts: number;
  /** Absent though listed, matched with another's order, or matched though never placed. */
  falseVerdicts: number;
  /** Closes that were placed, and those of them that were matched. */
  placed: number;
  found: number;
  /** Orders that triggers sent while an outcome was unknown. */
  fired: number;
  moved: number;
  restored: number;
  /** Backups of another account that were refused, as they must be. */
  refused: number;
  foreign: number;
  /** Trades and orders missing or duplicated in the archive at the end. */
  wrongRows: number;
}

const SYMBOL = 'LINK-USDT-M';
const CLOSE: OrderRequest = {
  ...{ symbolId: SYMBOL, side: 'SELL', type: 'MARKET', quantity: '5' },
  reduceOnly: true,
};
const PLACED: readonly Fault[] = [
  { action: 'reset', accept: true },
  { action: 'cut', accept: true },
  { action: 'status', accept: true, status: 502 },
  { action: 'html', accept: true },
  { action: 'no-data', accept: true },
  { action: 'duplicate-keys', accept: true },
];
const NOT_PLACED: readonly Fault[] = [
  { action: 'reset', accept: false },
  { action: 'status', accept: false, status: 503 },
];
/** Covers every relevant reconciliation round; then a pause, so that the next test round is independent. */
const WATCH_MS = 40_000;
const APART_MS = 200_000;
const ACCOUNT = { address: 'test', key: 'k' };

export async function attack(rounds: number, seed: number): Promise<AttackFigures> {
  const random = createRandom(seed);
  const file = memoryFile();
  const b = await startFixture({ seed, file });
  const figures: AttackFigures = {
    ...{ rounds: 0, duplicatePosts: 0, falseVerdicts: 0, placed: 0, found: 0, fired: 0 },
    ...{ moved: 0, restored: 0, refused: 0, foreign: 0, wrongRows: 0 },
  };
  const archive = await createSwappedArchive(b);
  try {
    b.reconciler.start();
    const before = await received(b);
    let opened = 0;
    for (; figures.rounds < rounds; figures.rounds++) {
      opened += await oneRound(b, random, file, figures, () => archive.swap(random, figures));
    }
    figures.duplicatePosts = (await received(b)) - before - opened - rounds;
    figures.wrongRows = await archive.wrongRows();
    return figures;
  } finally {
    await archive.close();
    await b.stop();
  }
}

/** Returns how many orders another client sent to open and close positions. */
async function oneRound(
  b: Fixture,
  random: SeededRandom,
  file: { readonly text: string },
  figures: AttackFigures,
  swap: () => Promise<void>,
): Promise<number> {
  // Of two positions, one is closed by us and one by its trigger, with identical terms.
  const positions = random.often(40) ? 2 : 1;
  for (let n = 0; n < positions; n++) await openWithTriggers(b);
  await b.poll(SYMBOL);
  const since = b.time.now();
  const isPlaced = random.often(50);
  const lost = await b.send(CLOSE, random.one(isPlaced ? PLACED : NOT_PLACED));
  const truth = isPlaced ? ((await b.trueIds(SYMBOL, since)).at(-1) ?? null) : null;
  const [there, back] = random.one([
    ['0.95', '1.0526'],
    ['1.05', '0.9524'],
  ] as const);
  await b.control('POST', '/shock', { symbolId: SYMBOL, share: there });
  await b.time.passUntil(b.time.now() + 1_000);

  // The connection is removed; the same account is added under another name.
  const moved = random.often(40);
  if (moved) await b.reconciler.stop();
  const name = `added-${figures.rounds}`;
  const { journal, reconciler } = moved ? await b.restart(file.text, name) : b;
  reconciler.start();
  await swap();
  await b.time.passUntil(since + WATCH_MS);
  judge(journal.get(lost.id), lost, truth, figures);
  if (moved) {
    figures.moved++;
    await reconciler.stop();
    b.reconciler.start();
  }

  const listed = dataOf(await b.observer.orderHistory({ symbolId: SYMBOL, startTime: since }));
  figures.fired += listed.filter((one) => one.conditionOrderId !== '').length;
  if (b.journal.get(lost.id)?.state === 'unknown') await b.orders.decisions.dismiss(lost.id, SYMBOL);
  await b.control('POST', '/shock', { symbolId: SYMBOL, share: back });
  const flattened = await flatten(b);
  await b.time.passUntil(b.time.now() + APART_MS);
  return positions + flattened;
}

function judge(
  record: IntentRecord | null,
  lost: IntentRecord,
  truth: string | null,
  figures: AttackFigures,
): void {
  if (lost.state !== 'unknown' || record === null) throw new Error(`a reply was not lost: ${lost.state}`);
  if (truth === null) {
    if (record.state !== 'unknown' || record.orderId !== null) figures.falseVerdicts++;
    return;
  }
  figures.placed++;
  if (record.state === 'matched' && record.orderId === truth) figures.found++;
  else if (record.orderId !== null || (record.finding?.absent ?? 0) > 0) figures.falseVerdicts++;
}

/** Opens a long of 5 with triggers 3 % from the mark, as another client of the account. */
async function openWithTriggers(b: Fixture): Promise<void> {
  const { contracts } = await b.control('GET', '/state');
  const all = contracts as readonly { readonly symbolId: string; readonly mark: string }[];
  const mark = amount(all.find((one) => one.symbolId === SYMBOL)?.mark ?? '');
  const at = (share: string): string => printFixed(multiply(mark, amount(share)), 3, 'down');
  const opened = await b.observer.placeOrder({
    ...{ symbolId: SYMBOL, side: 'BUY', type: 'MARKET', quantity: '5' },
    tpSl: {
      ...{ tpTriggerType: 'MARK_PRICE', tpPrice: at('1.03') },
      ...{ slTriggerType: 'MARK_PRICE', slPrice: at('0.97') },
    },
  });
  if (opened.outcome !== 'accepted') throw new Error(JSON.stringify(opened));
}

/** Closes what is left, as another client; returns how many orders that took. */
async function flatten(b: Fixture): Promise<number> {
  const account = dataOf(await b.observer.account());
  const left = account.positions.filter((one) => one.symbolId === SYMBOL);
  for (const _ of left)
    await b.observer.placeOrder({ symbolId: SYMBOL, side: 'SELL', type: 'MARKET', reduceOnly: true });
  return left.length;
}

async function received(b: Fixture): Promise<number> {
  const { received: counts } = await b.control('GET', '/state');
  return (counts as Record<string, number>).order ?? 0;
}

/** The account's archive during sync, whose file is replaced by its backups; another account's are refused. */
async function createSwappedArchive(b: Fixture) {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-attack-'));
  const file = join(folder, 'archive.sqlite');
  const backup = join(folder, 'backup.sqlite');
  const other = join(folder, 'other.sqlite');
  const history = await b.observer.orderHistory();
  const uid = history.ok ? (history.data[0]?.uid ?? null) : null;
  const foreign = openArchive(other);
  await foreign.store.insertOrders([orderNumber(1, { uid: `${uid ?? ''}7` })], null, []);
  foreign.close();

  let archive = openArchive(file);
  let hasBackup = false;
  let replaced = 0;
  let sync: ArchiveSync = fill();
  function fill(): ArchiveSync {
    const one = new ArchiveSync({
      connectionId: 'fault-injection',
      client: b.lists,
      archive: archive.store,
      limiter: new RequestLimiter(new RateLimit(), b.time),
      clock: b.time,
      timers: b.time,
      listed: () => [],
      restMs: 0,
      onStatus: () => undefined,
    });
    one.start();
    return one;
  }
  const request = (path: string) => ({
    backup: path,
    connectionId: 'fault-injection',
    account: { ...ACCOUNT, uid },
  });

  return {
    async swap(random: SeededRandom, figures: AttackFigures): Promise<void> {
      const act = random.one(['nothing', 'backup', 'restore', 'restore', 'other'] as const);
      if (act === 'nothing') return;
      await sync.stop();
      archive.close();
      if (act === 'backup') {
        copyFileSync(file, backup);
        hasBackup = true;
      } else if (act === 'restore' && hasBackup) {
        const { part } = readyBackup(request(backup), file);
        dataOf(putInPlace(part, file, b.time.now() + ++replaced));
        figures.restored++;
      } else if (act === 'other') {
        figures.foreign++;
        try {
          readyBackup(request(other), file);
        } catch {
          figures.refused++;
        }
      }
      archive = openArchive(file);
      sync = fill();
    },
    /** Counts wrong rows after everything was read again. */
    async wrongRows(): Promise<number> {
      await b.time.passUntil(b.time.now() + 2 * 3_600_000);
      const [trades, orders] = await Promise.all([allTrades(b), allOrders(b)]);
      const wrong = (kept: readonly string[], truth: readonly string[]): number => {
        const all = new Set(kept);
        return (
          kept.length -
          all.size +
          truth.filter((id) => !all.has(id)).length +
          Math.max(0, all.size - truth.length)
        );
      };
      if (!archive.sound()) throw new Error('the archive’s own check fails');
      return wrong(archive.tradeIds(), trades) + wrong(archive.orderIds(), orders);
    },
    async close(): Promise<void> {
      await sync.stop();
      archive.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function allTrades(b: Fixture): Promise<string[]> {
  const ids = new Set<string>();
  for (let pageNumber = 0, pages = 1; pageNumber <= pages; pageNumber++) {
    const reply = await b.observer.trades({ pageNumber, pageSize: 1_000 });
    if (!reply.ok) continue;
    pages = reply.data.pageCount;
    for (const one of reply.data.data) ids.add(one.tradeId);
  }
  return [...ids];
}

async function allOrders(b: Fixture): Promise<string[]> {
  const ids = new Set<string>();
  const HOUR = 3_600_000;
  const begin = b.time.now() - 60 * 24 * HOUR;
  for (let from = begin; from < b.time.now(); from += 6 * HOUR) {
    const reply = await b.observer.orderHistory({
      ...{ startTime: from === begin ? 0 : from, endTime: from + 6 * HOUR, limit: 1_000 },
    });
    if (!reply.ok || reply.data.length >= 1_000) throw new Error('the observer did not get all orders');
    for (const one of reply.data) ids.add(one.id);
  }
  return [...ids];
}
