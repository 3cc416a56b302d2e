/**
 * Measures the practice exchange: its book compared with nodejs-order-book on the same stream, the book with all
 * the accounting of an order, the making of a long past, and account/info.
 */
import { OrderBook, Side as TheirSide } from 'nodejs-order-book';
import { Book } from '../src-practice/engine/book.ts';
import type { Resting } from '../src-practice/engine/book.ts';
import { Engine } from '../src-practice/engine/engine.ts';
import { MAKERS, NOISE } from '../src-practice/engine/ledger.ts';
import { marketOrder } from '../tests/practice/engine-of.ts';
import { operations } from '../tests/practice/stream.ts';
import type { Operation } from '../tests/practice/stream.ts';
import { median, type Bench } from './harness.ts';

const STREAM = 200_000;
const ROUNDS = 5;
/** Orders of the account per round. The first round warms up and is not counted. */
const ORDERS = 20_000;
const START = 1_795_392_000_000;
const PAST = 1_000_000;

const seconds = (run: () => void): number => {
  const from = performance.now();
  run();
  return (performance.now() - from) / 1000;
};

function ours(stream: readonly Operation[]): void {
  const book = new Book();
  const resting: (Resting | undefined)[] = [];
  for (const { kind, buy, ticks, lots, id } of stream) {
    const side = buy ? 1 : -1;
    if (kind === 'cancel') {
      const order = resting[id];
      if (order) book.remove(order);
      continue;
    }
    const left = book.take(NOISE, side, lots, kind === 'limit' ? ticks : null, ignore, ignore);
    if (kind === 'limit' && left > 0) resting[id] = book.rest(MAKERS, side, ticks, left, id);
  }
}

const ignore = (): void => undefined;

function theirs(stream: readonly Operation[]): void {
  const book = new OrderBook();
  for (const { kind, buy, ticks, lots, id } of stream) {
    const side = buy ? TheirSide.BUY : TheirSide.SELL;
    if (kind === 'cancel') book.cancel(String(id));
    else if (kind === 'market') book.market({ side, size: lots });
    else book.limit({ side, id: String(id), size: lots, price: ticks });
  }
}

const exchange = (history: number, contracts = 13): Engine =>
  new Engine({ seed: 7, start: START, history, convention: 'flat', order: 'desc', contracts });

/** Places small orders back and forth through acceptance, margin, fees and records, one per second. */
function account(engine: Engine, orders: number): void {
  for (let i = 0; i < orders; i += 1) {
    const placed = engine.placeOrder(
      engine.now + 10,
      marketOrder('BTC-USDT-M', i % 2 === 0 ? 'BUY' : 'SELL', '0.001'),
    );
    if (!placed.ok) throw new Error(placed.why);
  }
}

function withPositions(count: number): Engine {
  const engine = exchange(0, 40);
  for (const { contract, trading } of engine.world.markets) {
    if (engine.world.account.positions.length >= count) break;
    if (!trading || engine.world.account.positions.some((held) => held.contract === contract)) continue;
    const lots = contract.lot === '10' ? '50' : contract.lot === '1000' ? '100000' : contract.lot;
    engine.placeOrder(engine.now, marketOrder(contract.symbolId, 'BUY', lots));
  }
  const { length } = engine.world.account.positions;
  if (length !== count) throw new Error(`${length} positions instead of ${count}`);
  return engine;
}

export default function practice({ report, note }: Bench): Promise<void> {
  const stream = operations(STREAM, 11);
  ours(stream);
  theirs(stream);
  const mine: number[] = [];
  const other: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    mine.push(STREAM / seconds(() => ours(stream)));
    other.push(STREAM / seconds(() => theirs(stream)));
  }
  const [book, outsider] = [median(mine), median(other)];
  report({
    figure: 'book alone',
    value: book,
    unit: 'orders/s',
    baseline: 'nodejs-order-book',
    baselineValue: outsider,
  });

  const engine = exchange(0);
  account(engine, ORDERS);
  const rates = Array.from({ length: ROUNDS }, () => ORDERS / seconds(() => account(engine, ORDERS)));
  const full = median(rates);
  report({
    figure: 'with margin and records',
    value: full,
    unit: 'orders/s',
    baseline: 'target',
    baselineValue: 200_000,
  });

  const ten = withPositions(10);
  const replies = 500;
  const rate = replies / seconds(() => Array.from({ length: replies }, () => ten.account(ten.now)));
  report({
    figure: 'account/info, 10 positions',
    value: rate,
    unit: 'replies/s',
    baseline: null,
    baselineValue: null,
  });

  note(`a past of ${PAST} trades …`);
  const past = seconds(() => exchange(PAST));
  report({
    figure: 'a past of a million trades',
    value: past,
    unit: 's',
    baseline: 'target',
    baselineValue: 20,
  });
  const memory = process.memoryUsage().rss / 1e6;
  report({ figure: 'memory after it', value: memory, unit: 'MB', baseline: null, baselineValue: null });

  if (book < 5 * outsider) throw new Error('the book alone is below five times nodejs-order-book');
  return Promise.resolve();
}
