/** Notes and tags of orders: kept, found by filter, shown on round trips however these change, summed by tag. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { MAX_NOTE, UNTAGGED } from '../../../src-shared/domain/history/order-notes.ts';
import type { GroupContract, GroupSort, TradeGrouping } from '../../../src-shared/ipc/trade-groups.ts';
import { NEWEST_FIRST, NO_FILTER, type TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { orderNumber } from '../../../tests/archive/orders.ts';
import { openHere, START, temporaryFolder, tradeNumber } from '../../../tests/archive/trades.ts';
import { requestHandlers } from '../handlers.ts';
import { openDatabase } from '../sqlite/database.ts';
import { ArchiveFault } from '../sqlite/errors.ts';
import { mergeReadableNotes } from './merge.ts';

const CONTRACTS: readonly GroupContract[] = [
  { symbol: 'BTC-USDT-M', quantity: 'BTC', quote: 'USDT', margin: 'USDT', inverse: false },
  { symbol: 'BTC-USD-M', quantity: 'USD', quote: 'USD', margin: 'BTC', inverse: true },
];
/** A trade by its number, side and quantity: its order has the same number. */
const fill = (n: number, side: string, executedQty: string, change: Partial<Trade> = {}): Trade =>
  tradeNumber(n, {
    ...{ symbol: 'BTC-USDT-M', side, executedQty, executedQuoteQty: '100', fee: '0.1', feeAsset: 'USDT' },
    ...{ orderId: `${100 + n}`, tradeId: `${100 + n}` },
    ...change,
  });

function start(list: readonly Trade[] = []) {
  const archive = openHere();
  onTestFinished(archive.close);
  archive.writer.insert(list, null, 0);
  const log = requestHandlers(archive);
  const groups = (by: TradeGrouping, filter: Partial<TradeFilter> = {}, sort: Partial<GroupSort> = {}) =>
    log.groups({
      by,
      filter: { ...NO_FILTER, ...filter },
      sort: { column: by === 'tag' ? 'tag' : 'time', descending: by !== 'tag', ...sort },
      ...{ zone: 'UTC', contracts: CONTRACTS, offset: 0, limit: 50 },
    });
  let now = START;
  return {
    ...archive,
    log,
    groups,
    note: (orderId: string, text: string, ...tags: string[]) =>
      archive.notes.save((now += 1), orderId, { text, tags }),
    /** The notes of each round trip, by its opening order, newest first. */
    trips: async (noted: TradeFilter['noted'] = null) =>
      (await groups('round-trip', { noted })).rows.map((row) =>
        row.kind === 'round-trip' ? [row.firstOrder, ...row.noted.map(({ text }) => text)] : [],
      ),
    ordersOf: async (noted: TradeFilter['noted']) =>
      (await groups('order', { noted })).rows.map((row) => (row.kind === 'order' ? row.orderId : '')),
    tags: async (noted: TradeFilter['noted'] = null) =>
      (await groups('tag', { noted })).rows.map((row) =>
        'key' in row ? [row.key, row.coin, row.trips, row.pnl, row.net, row.fees] : [],
      ),
  };
}
const any = (tags: string[] = [], text: string | null = null): TradeFilter['noted'] => ({ tags, text });

describe('a note', () => {
  it('is kept as typed, cleaned, with the spelling a tag has', () => {
    const { note, notes } = start();
    expect(note('7', ' why\r\n\n', ' News ', 'plan', 'NEWS')).toEqual({
      ...{ orderId: '7', text: ' why', tags: ['News', 'plan'], editedAt: START + 1 },
    });
    expect(note('18446744073709551615', '', 'news').tags).toEqual(['News']);
    expect(notes.of('7')).toMatchObject({ text: ' why', tags: ['News', 'plan'] });
    expect(notes.of('8')).toBeNull();
    expect(notes.tags()).toEqual([
      { tag: 'News', orders: 2 },
      { tag: 'plan', orders: 1 },
    ]);
  });

  it('is deleted by one without text and tags, which is remembered; none is no deletion', () => {
    const { note, notes, db } = start();
    const count = () => db.prepare('SELECT count(*) AS n FROM order_note').get()?.['n'];
    note('7', '  \n');
    expect(count()).toBe(0);
    note('7', 'why', 'plan');
    note('7', '');
    expect(notes.of('7')).toMatchObject({ text: '', tags: [] });
    expect([count(), notes.tags()]).toEqual([1, []]);
  });

  it('is later than what it replaces, even if the clock was set back, and each edit is seen', () => {
    const { notes } = start();
    const first = notes.save(START, '7', { text: 'a', tags: [] });
    const before = notes.revision();
    const second = notes.save(START - 60_000, '7', { text: 'b', tags: [] });
    expect(second.editedAt).toBe(first.editedAt + 1);
    expect(notes.revision()).toBeGreaterThan(before);
  });

  it.each([
    ['text', { text: 'x'.repeat(MAX_NOTE + 1), tags: [] }],
    ['tags', { text: '', tags: ['a,b'] }],
    ['tags', { text: '', tags: Array.from({ length: 21 }, (_, n) => `tag ${n}`) }],
  ])('beyond the limits of its %s is refused, and the one before stays', (field, change) => {
    const { note, notes } = start();
    note('7', 'why', 'plan');
    expect(() => notes.save(START, '7', change)).toThrow(ArchiveFault);
    expect(() => notes.save(START, '7', change)).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ field }) }),
    );
    expect(notes.of('7')).toMatchObject({ text: 'why', tags: ['plan'] });
  });
});

describe('a tag of several orders', () => {
  it('is added and removed together; only the notes that changed are returned and written', () => {
    const { note, notes, log } = start();
    note('7', 'why', 'Plan');
    note('9', '', 'news', 'x');
    const tagOrders = (orderIds: string[], tag: string, on: boolean) =>
      log.tagOrders(START + 100, orderIds, tag, on);
    expect(tagOrders(['7', '8', '9', '8'], ' NEWS ', true)).toMatchObject([
      { orderId: '7', text: 'why', tags: ['Plan', 'news'] },
      { orderId: '8', text: '', tags: ['news'] },
    ]);
    const revision = notes.revision();
    expect(tagOrders(['7', '8', '9'], 'news', true)).toEqual([]);
    expect(tagOrders(['10'], 'news', false)).toEqual([]);
    expect(notes.revision()).toBe(revision);
    expect(tagOrders(['7', '8', '9', '10'], 'News', false)).toMatchObject([
      { orderId: '7', text: 'why', tags: ['Plan'] },
      { orderId: '8', text: '', tags: [] },
      { orderId: '9', text: '', tags: ['x'] },
    ]);
    expect(notes.of('10')).toBeNull();
  });

  it('is added to all or to none', () => {
    const { note, notes, log } = start();
    note('8', '', ...Array.from({ length: 20 }, (_, n) => `tag ${n}`));
    expect(() => log.tagOrders(START, ['7', '8'], 'news', true)).toThrow(ArchiveFault);
    expect(() => log.tagOrders(START, ['7'], 'a,b', true)).toThrow(ArchiveFault);
    expect(notes.of('7')).toBeNull();
  });
});

it('is with the rows of its order in the plain list, unless it was deleted', async () => {
  const id = '18446744073709551615';
  const { note, log } = start([
    fill(0, 'BUY', '1'),
    fill(1, 'BUY', '1'),
    fill(2, 'SELL', '2', { orderId: id }),
  ]);
  const page = async (limit = 3) =>
    (await log.list({ filter: NO_FILTER, sort: NEWEST_FIRST, offset: 0, limit })).noted;
  expect(await page()).toEqual([]);
  note('100', 'why');
  note('101', 'gone');
  note('101', '');
  note(id, '', 'plan');
  note('7', 'of another');
  expect((await page()).map((one) => one.orderId).sort()).toEqual(['100', id]);
  expect(await page(1)).toMatchObject([{ orderId: id, tags: ['plan'] }]);
});

describe('a round trip', () => {
  /** Opened by 100 and 101, closed by 102; 103 opens the next, 104 closes and reverses it, 105 closes that. */
  const LIST = [
    fill(0, 'BUY', '1'),
    fill(1, 'BUY', '1'),
    fill(2, 'SELL', '2'),
    fill(3, 'BUY', '1'),
    fill(4, 'SELL', '3'),
    fill(5, 'BUY', '2'),
  ];

  it('has the notes of its orders, in their order; a reversing order belongs to the one it opened', async () => {
    const { note, trips } = start(LIST);
    note('102', 'closed late');
    note('100', 'breakout');
    note('104', 'other way');
    expect(await trips()).toEqual([['104', 'other way'], ['103'], ['100', 'breakout', 'closed late']]);
    note('103', 'again');
    note('102', '');
    expect(await trips()).toEqual([
      ['104', 'other way'],
      ['103', 'again'],
      ['100', 'breakout'],
    ]);
  });

  it('keeps its notes when earlier trades arrive, and when it becomes one with the trip before', async () => {
    const archive = start(LIST.slice(2));
    archive.note('102', 'sold');
    archive.note('103', 'why');
    expect(await archive.trips()).toEqual([['102', 'sold', 'why']]);
    archive.writer.insert(LIST.slice(0, 2), null, 0);
    expect(await archive.trips()).toEqual([['104'], ['103', 'why'], ['100', 'sold']]);
    // A trade between two trips makes them one.
    archive.writer.insert(
      [fill(2, 'BUY', '1', { tradeId: '99', orderId: '99', tradeTime: START + 1_500 })],
      null,
      0,
    );
    expect((await archive.trips()).find(([first]) => first === '100')).toEqual(['100', 'sold', 'why']);
  });

  it('shares the note of an order that fills across two of them', async () => {
    const { note, trips } = start([
      fill(0, 'BUY', '1', { orderId: '7' }),
      fill(1, 'SELL', '1'),
      fill(2, 'BUY', '1', { orderId: '7' }),
      fill(3, 'SELL', '1'),
    ]);
    note('7', 'resting');
    expect(await trips()).toEqual([
      ['7', 'resting'],
      ['7', 'resting'],
    ]);
  });
});

describe('a filter of notes', () => {
  const LIST = Array.from({ length: 60 }, (_, n) => fill(n, n % 2 === 0 ? 'BUY' : 'SELL', '1'));

  it('finds orders, their trades and round trips, in time order and any other, and follows an edit', async () => {
    const { note, ordersOf, trips, log, notes } = start(LIST);
    note('110', 'moved the stop', 'Mistake');
    note('131', '', 'plan');
    note('120', 'as planned');
    const listOf = async (noted: TradeFilter['noted'], sort = NEWEST_FIRST) => {
      const page = await log.list({ filter: { ...NO_FILTER, noted }, sort, offset: 0, limit: 9 });
      return [page.count, ...page.rows.map(({ orderId }) => orderId)];
    };
    expect(await ordersOf(any())).toEqual(['131', '120', '110']);
    expect(await ordersOf(any(['mistake', 'plan']))).toEqual(['131', '110']);
    expect(await ordersOf(any([], 'PLAN'))).toEqual(['131', '120']);
    expect(await ordersOf(any(['plan'], 'stop'))).toEqual([]);
    expect(await listOf(any(['MISTAKE', 'plan']))).toEqual([2, '131', '110']);
    expect(await listOf(any(['plan', 'mistake']), { column: 'price', descending: false })).toEqual([
      2,
      '110',
      '131',
    ]);
    expect(await trips(any(['plan']))).toEqual([['130', '']]);
    expect(await trips(any([], 'stop'))).toEqual([['110', 'moved the stop']]);
    expect((await trips(any([UNTAGGED]))).length).toBe(28);
    expect(await log.totals({ ...NO_FILTER, noted: any() })).toMatchObject({
      count: 3,
      fees: [{ amount: '0.3' }],
    });
    expect(await log.totals({ ...NO_FILTER, noted: any(), priceFrom: '0' })).toMatchObject({ count: 3 });
    // No trade was stored meanwhile: everything cached has to give way.
    notes.save(START + 90, '112', { text: '', tags: ['mistake'] });
    note('110', '');
    expect(await listOf(any(['mistake']))).toEqual([1, '112']);
    expect(await listOf(any(['plan', 'mistake']), { column: 'price', descending: false })).toEqual([
      2,
      '112',
      '131',
    ]);
    expect(await ordersOf(any(['mistake']))).toEqual(['112']);
    expect(await trips(any(['mistake']))).toEqual([['112', '']]);
    expect(await log.totals({ ...NO_FILTER, noted: any(['mistake']) })).toMatchObject({ count: 1 });
  });

  it('leaves closed PnL by day unknown: it is with other orders than the note', async () => {
    const { note, groups } = start(LIST);
    note('110', 'why');
    const { rows } = await groups('day', { noted: any() });
    expect(rows).toMatchObject([{ trades: 1, pnl: null, unknown: 'filter' }]);
  });
});

describe('the note of an order that never traded', () => {
  const PLACED = [
    orderNumber(1, { id: '101', tradeQuantity: '0.000', status: 'NEW' }),
    orderNumber(2, { id: '102', symbolId: 'ETH-USDT-M', tradeQuantity: '0.000', status: 'CANCELED' }),
    orderNumber(3, { id: '103', tradeQuantity: '0.000', status: 'CANCELED' }),
  ];
  function placed() {
    const archive = start([fill(10, 'BUY', '1'), fill(11, 'SELL', '1')]);
    archive.orders.insert(PLACED, null, [], 0);
    return archive;
  }

  it('is read by the order, and finds the order by tag and text, newest first', () => {
    const { note, log } = placed();
    const why = note('103', 'Too far from the mark', 'Patience');
    note('102', 'Too late');
    note('101', 'gone');
    note('101', '');
    expect(log.notesOf(['101', '103', '110'])).toEqual([why]);
    const found = (filter: Partial<TradeFilter>) => {
      const { rows, truncated } = log.newestOrders({ ...NO_FILTER, ...filter });
      return [...rows.map(({ id }) => id), truncated];
    };
    expect(found({ noted: any() })).toEqual(['103', '102', false]);
    expect(found({ noted: any(['PATIENCE']) })).toEqual(['103', false]);
    expect(found({ noted: any([], 'too'), symbols: ['ETH-USDT-M'] })).toEqual(['102', false]);
    expect(found({ noted: any(), to: START + 2_000 })).toEqual(['102', false]);
    expect(found({ noted: any(), symbols: ['none'] })).toEqual([false]);
    expect(log.newestOrders({ ...NO_FILTER, noted: any() }).rows[0]).toEqual(PLACED[2]);
  });

  it('changes no round trip and no sum by tag, and finds no trade', async () => {
    const { note, groups, tags, ordersOf } = placed();
    note('110', '', 'plan');
    const before = [await tags(), (await groups('tag')).totals, (await groups('round-trip')).rows];
    note('102', 'never filled', 'plan');
    note('103', '', 'only here');
    expect([await tags(), (await groups('tag')).totals, (await groups('round-trip')).rows]).toEqual(before);
    expect(await tags(any(['only here']))).toEqual([]);
    expect(await ordersOf(any(['plan']))).toEqual(['110']);
  });
});

describe('sums by tag', () => {
  const inverse = { symbol: 'BTC-USD-M', feeAsset: 'BTC', executedQuoteQty: '50', fee: '0.001' };
  const LIST = [
    ...[fill(0, 'BUY', '1'), fill(1, 'SELL', '1')],
    ...[fill(2, 'BUY', '1'), fill(3, 'SELL', '1', { fee: '0.3' })],
    ...[fill(4, 'SELL', '2', inverse), fill(5, 'BUY', '2', inverse)],
    ...[fill(6, 'BUY', '1'), fill(7, 'SELL', '1')],
    ...[fill(8, 'BUY', '1'), fill(9, 'SELL', '1')],
    fill(10, 'BUY', '1'),
  ];
  function closed() {
    const archive = start(LIST);
    const close = (n: number, profit: string, coin = 'USDT', change = {}) =>
      orderNumber(n, {
        id: `${100 + n}`,
        symbolId: LIST[n]!.symbol,
        profit,
        lockAssetId: coin,
        feeAssetId: coin,
        ...change,
      });
    archive.orders.insert(
      [close(1, '1.5'), close(3, '-4'), close(5, '0.02', 'BTC'), close(7, '0')],
      ...([null, [], 0] as const),
    );
    archive.note('100', '', 'plan', 'A');
    archive.note('103', '', 'a', 'PLAN');
    archive.note('104', '', 'plan');
    archive.note('108', '', 'plan');
    archive.note('110', '', 'plan');
    return archive;
  }

  it('count each round trip in each of its tags, by coin, exactly, and in the totals once', async () => {
    const { tags, groups } = closed();
    const none = { counted: 0, wins: 0, losses: 0, open: 0, unknown: 0 };
    expect(await tags()).toEqual([
      ['', 'USDT', { ...none, counted: 1 }, '0', '-0.2', [{ asset: 'USDT', amount: '0.2' }]],
      [
        'A',
        'USDT',
        { ...none, counted: 2, wins: 1, losses: 1 },
        '-2.5',
        '-3.1',
        [{ asset: 'USDT', amount: '0.6' }],
      ],
      [
        'plan',
        'USDT',
        { counted: 2, wins: 1, losses: 1, open: 1, unknown: 1 },
        '-2.5',
        '-3.1',
        [{ asset: 'USDT', amount: '0.6' }],
      ],
      ['plan', 'BTC', { ...none, counted: 1, wins: 1 }, '0.02', '0.018', [{ asset: 'BTC', amount: '0.002' }]],
    ]);
    expect((await groups('tag')).totals).toMatchObject([
      {
        coin: 'USDT',
        pnl: '-2.5',
        net: '-3.3',
        volume: '600',
        trips: { counted: 3, wins: 1, losses: 1, open: 1, unknown: 1 },
      },
      { coin: 'BTC', pnl: '0.02', volume: '100', trips: { counted: 1 } },
    ]);
  });

  it('follow an edit, the filter and the sort', async () => {
    const { tags, note, groups } = closed();
    expect((await tags(any(['a']))).map(([key]) => key)).toEqual(['A']);
    const byWins = await groups('tag', {}, { column: 'wins', descending: true });
    expect(byWins.rows.map((row) => ('key' in row ? [row.key, row.coin] : []))).toEqual([
      ['plan', 'BTC'],
      ['plan', 'USDT'],
      ['A', 'USDT'],
      ['', 'USDT'],
    ]);
    note('100', '', 'other');
    expect((await tags()).map(([key, coin]) => [key, coin])).toEqual([
      ['', 'USDT'],
      ['A', 'USDT'],
      ['other', 'USDT'],
      ['plan', 'USDT'],
      ['plan', 'BTC'],
    ]);
  });
});

describe('two archives', () => {
  const folder = temporaryFolder();
  const at = (name: string): string => join(folder.path, name);

  it('become one with the later edit of each note, deletions included, once and again', () => {
    const write = (name: string, edits: readonly (readonly [number, string, string])[]): string => {
      const { notes, close } = openHere(at(name), 'one');
      for (const [time, id, text] of edits) notes.save(time, id, { text, tags: ['t'].slice(0, text.length) });
      close();
      return at(name);
    };
    const into = write('into', [
      [10, '1', 'old'],
      [30, '2', 'new'],
      [10, '3', 'deleted since'],
      [10, '5', 'alone'],
      [50, '6', 'x'],
      [60, '6', ''],
    ]);
    const from = write('from', [
      [20, '1', 'edited'],
      [20, '2', 'old'],
      [10, '3', 'y'],
      [20, '3', ''],
      [20, '4', 'added'],
      [55, '6', 'before'],
    ]);
    for (let turn = 0; turn < 2; turn++) {
      mergeReadableNotes(into, from);
      const { notes, close } = openHere(into, 'one');
      const texts = ['1', '2', '3', '4', '5', '6'].map((id) => notes.of(id)?.text);
      expect(texts).toEqual(['edited', 'new', '', 'added', 'alone', '']);
      close();
    }
  });

  it('of which one is damaged, or of an older schema, keep what there is', () => {
    const { notes, close } = openHere(at('mine'), 'one');
    notes.save(10, '1', { text: 'kept', tags: [] });
    close();
    writeFileSync(at('broken'), 'no database');
    mergeReadableNotes(at('mine'), at('broken'));
    copyFileSync(at('mine'), at('older'));
    const older = openHere(at('older'), 'one');
    older.db.exec('DROP TABLE order_note');
    older.close();
    mergeReadableNotes(at('mine'), at('older'));
    const again = openHere(at('mine'), 'one');
    expect(again.notes.of('1')?.text).toBe('kept');
    again.close();
  });

  it('keep the readable notes of one that is moved aside because it is damaged', () => {
    const { notes, db, close } = openHere(at('damaged'), 'one');
    notes.save(10, '1', { text: 'kept', tags: [] });
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const root = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'trade_by_time'").get()?.[
      'rootpage'
    ];
    close();
    expect(typeof root).toBe('number');
    const bytes = readFileSync(at('damaged'));
    bytes.fill(7, (Number(root) - 1) * 4_096, Number(root) * 4_096);
    writeFileSync(at('damaged'), bytes);
    const { db: opened, movedAside } = openDatabase(at('damaged'), 'one', START);
    expect(movedAside).toContain('carried over');
    expect(opened.prepare('SELECT text FROM order_note').get()).toEqual({ text: 'kept' });
    opened.close();
    folder.remove();
  });
});
