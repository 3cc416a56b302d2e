import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failed } from '../../../src-shared/ipc/failures.ts';
import type { OrderNote } from '../../../src-shared/domain/history/order-notes.ts';
import { tradedContract } from '../../../src-shared/domain/instrument/currencies.ts';
import { NO_FILTER, type TradeFilter } from '../../../src-shared/ipc/trades.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { LINEAR } from '../../../tests/domain/order-samples.ts';
import { FakeBridge, FakeTime } from '../../../tests/renderer/fake-bridge.ts';
import { Clock } from '../runtime/clock.svelte.ts';
import { Settings } from '../session/settings.svelte.ts';
import { rangeOf } from '../../../src-shared/domain/display/day-range.ts';
import { OrderNotes } from '../order/notes.svelte.ts';
import { TradeLog } from './log.svelte.ts';

const trade = (time: number, id: number, symbol = 'BTC-USDT-M'): Trade => ({
  tradeTime: time,
  symbol,
  side: id % 2 === 0 ? 'BUY' : 'SELL',
  price: '97402.0',
  executedQty: '0.180',
  executedQuoteQty: '17532.3600',
  fee: '8.766180',
  feeAsset: 'USDT',
  liquidity: 'TAKER',
  offset: 0,
  orderId: '734829105569914880',
  tradeId: String(9_000_000_000_000_000_000n + BigInt(id)),
});

/** A simple archive that filters and sorts everything on each request. */
class Archive {
  rows: Trade[] = [];
  noted: OrderNote[] = [];
  /** Runs before each page is returned, to add rows meanwhile. */
  before: () => void = () => undefined;

  filtered(filter: TradeFilter): Trade[] {
    return this.rows
      .filter(
        (row) =>
          (filter.symbols.length === 0 || filter.symbols.includes(row.symbol)) &&
          (filter.from === null || row.tradeTime >= filter.from) &&
          (filter.to === null || row.tradeTime <= filter.to),
      )
      .sort((a, b) => b.tradeTime - a.tradeTime || (a.tradeId < b.tradeId ? 1 : -1));
  }
  place({ filter, row }: { filter: TradeFilter; row: Trade }): unknown {
    const at = this.filtered(filter).findIndex((one) => one.tradeId === row.tradeId);
    return at < 0 ? null : at;
  }
  page({ filter, offset, limit }: { filter: TradeFilter; offset: number; limit: number }): unknown {
    this.before();
    const rows = this.filtered(filter);
    return {
      rows: rows.slice(offset, offset + limit),
      noted: this.noted,
      count: rows.length,
      stored: this.rows.length,
    };
  }
}

function start(rows: Trade[]) {
  const bridge = new FakeBridge();
  const time = new FakeTime();
  const archive = new Archive();
  archive.rows = rows;
  bridge.replies = {
    'trades.page': (input) => archive.page(input as never),
    'trades.totals': (input) => ({
      count: archive.filtered((input as { filter: TradeFilter }).filter).length,
      makers: 0,
      unsided: 0,
      leftOut: 0,
      symbols: [],
      fees: [],
    }),
    'trades.symbols': () => ['BTC-USDT-M'],
    'trades.place': (input) => archive.place(input as never),
  };
  const clock = new Clock(time);
  const notes = new OrderNotes(bridge, clock.time);
  const log = new TradeLog(bridge, clock, new Settings(bridge), notes);
  const screen = { top: 0, started: 0, moved: 0 };
  log.list = {
    moved: (by, isFollowing) => {
      screen.moved += by;
      if (isFollowing) return;
      screen.top += by;
      render();
    },
    goTo: (index) => {
      screen.top = index;
      if (index === 0) screen.started++;
      render();
    },
  };
  const render = (): void => {
    log.setTopRow(screen.top);
    log.requestRows(Math.max(0, screen.top - 4), screen.top + 30);
  };
  const scroll = (row: number): void => {
    screen.top = row;
    render();
  };
  notes.follow('practice');
  log.follow('practice');
  return { log, notes, archive, bridge, time, clock, screen, scroll };
}
const settled = (): Promise<void> => new Promise((done) => setImmediate(done));
const many = (count: number, from = 0): Trade[] =>
  Array.from({ length: count }, (_, index) => trade(1_000_000 + (from + index) * 10, from + index));

it('keeps the filter of each connection over a switch and back', () => {
  const { log } = start([]);
  log.fields.values.symbols = ['BTC-USDT-M'];
  log.fields.usePreset('month');
  const { query } = log.fields;
  log.follow('live-1');
  expect(log.fields.active).toBe(false);
  log.fields.values.orderId = '7';
  log.follow('practice');
  expect(log.fields.query).toEqual(query);
  expect(log.fields.preset).toBe('month');
  log.follow('live-1');
  expect(log.fields.query).toMatchObject({ symbols: [], orderId: '7' });
});

describe('the trade log', () => {
  it('reads the newest rows first, then those scrolled to', async () => {
    const { log, archive, scroll } = start(many(1_000));
    await log.apply();
    await settled();
    expect([log.count, log.stored, log.rowAt(0)?.tradeTime]).toEqual([1_000, 1_000, 1_009_990]);
    expect(log.rowAt(700)).toBeUndefined();
    scroll(700);
    await settled();
    expect(log.rowAt(700)).toEqual(archive.filtered(NO_FILTER)[700]);
    expect(log.totals?.count).toBe(1_000);
  });

  it('knows the notes of the rows that were read, as they are saved, of this connection only', async () => {
    const { log, notes, archive, bridge } = start(many(150));
    const note = { orderId: '734829105569914880', text: 'why', tags: [], editedAt: 1 };
    archive.noted = [note];
    await log.apply();
    await settled();
    expect([...notes.byOrder.values()]).toEqual([note]);
    archive.noted = [{ ...note, orderId: '7' }];
    expect(await log.rows([{ first: 100, last: 140 }])).toHaveLength(41);
    expect([...notes.byOrder.keys()]).toEqual(['734829105569914880', '7']);
    bridge.replies['trades.tagOrders'] = () => [{ ...note, tags: ['late'] }];
    notes.shared(new Map([['734829105569914880', []]])).add('late');
    await settled();
    expect(notes.byOrder.get('734829105569914880')?.tags).toEqual(['late']);
    notes.follow('meridian');
    expect(notes.byOrder.size).toBe(0);
  });

  it('reads selected rows by their ranges, and none once other rows are at their places', async () => {
    const { log, archive } = start(many(150));
    await log.apply();
    await settled();
    const all = archive.filtered(NO_FILTER);
    const ranges = [
      { first: 2, last: 2 },
      { first: 5, last: 120 },
    ];
    expect(await log.rows(ranges)).toEqual([all[2], ...all.slice(5, 121)]);
    archive.rows.push(trade(2_000_000, 999));
    expect(await log.rows(ranges)).toBeNull();
  });

  it('reads nothing at the places of the list that is shown while another sort of it is read', async () => {
    const { log, archive, bridge, scroll } = start(many(1_000));
    await log.apply();
    await settled();
    const sorted = Promise.withResolvers<null>();
    let requests = 0;
    bridge.replies['trades.page'] = async (input) => {
      if (requests++ === 0) await sorted.promise;
      return archive.page(input as never);
    };
    log.sortBy('price');
    scroll(700);
    void log.refresh();
    expect([await log.rows([{ first: 2, last: 2 }]), await log.jump(0, 0), requests]).toEqual([
      null,
      false,
      1,
    ]);
    sorted.resolve(null);
    await settled();
    expect([log.sort.column, log.rowAt(0)]).toMatchObject(['price', {}]);
    expect(await log.rows([{ first: 2, last: 2 }])).toHaveLength(1);
  });

  it('makes a request again that the archive dropped for that of another list', async () => {
    const { log, archive, bridge, scroll, time } = start(many(1_000));
    const { call } = bridge;
    let drops = 1;
    const dropped = failed({ kind: 'cancelled', message: 'A newer request replaced this one.', next: '' });
    bridge.call = (name, ...input) =>
      name === 'trades.page' && drops-- > 0 ? Promise.resolve(dropped) : call(name, ...input);
    await log.apply();
    await settled();
    expect([log.count, log.failure]).toEqual([1_000, null]);
    drops = 1;
    archive.rows = many(1_001);
    await log.refresh();
    await settled();
    expect([log.count, log.failure]).toEqual([1_001, null]);
    drops = 1;
    scroll(500);
    await settled();
    time.pass(300);
    await settled();
    expect([log.rowAt(500), log.failure]).toMatchObject([{}, null]);
  });

  it('shows no error of totals that the archive dropped for those of more rows', async () => {
    const { log, archive, bridge } = start(many(50));
    await log.apply();
    await settled();
    const dropped = failed({ kind: 'cancelled', message: 'A newer request replaced this one.', next: '' });
    const { call } = bridge;
    const newer = Promise.withResolvers<null>();
    let requests = 0;
    bridge.call = async (name, ...input) => {
      if (name !== 'trades.totals') return call(name, ...input);
      if (requests++ === 0) return dropped;
      await newer.promise;
      return call(name, ...input);
    };
    for (const count of [51, 52]) {
      archive.rows = many(count);
      await log.refresh();
      await settled();
    }
    expect([requests, log.totals?.count, log.totalsFailure]).toEqual([2, 50, null]);
    newer.resolve(null);
    await settled();
    expect([log.totals?.count, log.totalsFailure]).toEqual([52, null]);
  });

  it('skips what a dragged scrollbar passed', async () => {
    const { log, bridge, scroll } = start(many(100_000));
    await log.apply();
    await settled();
    const before = bridge.requests.length;
    for (let row = 1_000; row <= 90_000; row += 1_000) scroll(row);
    await settled();
    expect(log.rowAt(90_000)).toBeDefined();
    expect(bridge.requests.length - before).toBeLessThanOrEqual(4);
  });

  it('keeps both ends of the list loaded, and drops what was scrolled past', async () => {
    const { log, scroll } = start(many(10_000));
    await log.apply();
    for (let row = 0; row <= 9_000; row += 90) {
      scroll(row);
      await settled();
    }
    expect([log.rowAt(0), log.rowAt(30), log.rowAt(9_970), log.rowAt(9_999)]).not.toContain(undefined);
    expect(log.rowAt(1_000)).toBeUndefined();
  });

  it('keeps the rows in view in place while rows are added above, below or at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 400 }),
        fc.array(fc.integer({ min: 999_000, max: 1_006_000 }), { minLength: 1, maxLength: 300 }),
        async (top, times) => {
          const { log, archive, screen, scroll } = start(many(500));
          await log.apply();
          await settled();
          scroll(top);
          await settled();
          const seen = log.rowAt(top);
          archive.rows = [...archive.rows, ...times.map((time, index) => trade(time, 10_000 + index))];
          await log.refresh();
          await settled();
          expect(log.count).toBe(archive.rows.length);
          expect(log.rowAt(screen.top)).toEqual(seen);
          const all = archive.filtered(NO_FILTER);
          for (let row = screen.top; row < screen.top + 20; row++) expect(log.rowAt(row)).toEqual(all[row]);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('follows new trades while the newest is in view', async () => {
    const { log, archive, screen, time } = start(many(50));
    await log.apply();
    archive.rows = [...archive.rows, trade(2_000_000, 60)];
    log.archiveGrew(51);
    expect(log.count).toBe(50);
    time.pass(300);
    await settled();
    expect([log.count, log.rowAt(0)?.tradeTime, screen.top]).toEqual([51, 2_000_000, 0]);
    // What is selected moves with its rows.
    expect(screen.moved).toBe(1);
    expect(log.totals?.count).toBe(51);
  });

  it('never mixes pages of different counts, even if rows are added between two requests', async () => {
    const { log, archive, scroll, screen } = start(many(1_000));
    await log.apply();
    await settled();
    let added = 0;
    archive.before = () => {
      if (added < 5) archive.rows = [...archive.rows, trade(3_000_000 + added, 20_000 + added++)];
    };
    scroll(600);
    await settled();
    const all = archive.filtered(NO_FILTER);
    expect(log.count).toBe(all.length);
    for (let row = screen.top; row < screen.top + 20; row++) expect(log.rowAt(row)).toEqual(all[row]);
  });

  it('waits instead of drifting when rows are added faster than it can read them', async () => {
    const { log, archive, scroll, screen, time } = start(many(1_000));
    await log.apply();
    await settled();
    scroll(600);
    await settled();
    const seen = log.rowAt(600);
    let added = 0;
    archive.before = () => {
      if (added < 60) archive.rows = [...archive.rows, trade(4_000_000 + added, 30_000 + added++)];
    };
    log.archiveGrew(1_001);
    for (let step = 0; step < 12; step++) {
      time.pass(300);
      await settled();
      expect(log.rowAt(screen.top)).toEqual(seen);
    }
    expect(log.count).toBe(1_060);
  });

  it('shows the newest filter from its start, even if the previous reply arrives later', async () => {
    const { log, bridge, screen, archive } = start([...many(10), trade(5, 99, 'ETH-USDT-M')]);
    await log.apply();
    let release: () => void = () => undefined;
    bridge.replies['trades.page'] = async (input) => {
      const { filter } = input as { filter: TradeFilter };
      if (filter.symbols.includes('ETH-USDT-M')) await new Promise<void>((done) => (release = done));
      return archive.page(input as never);
    };
    const late = log.apply({ filter: { ...NO_FILTER, symbols: ['ETH-USDT-M'] } });
    await log.apply({ filter: { ...NO_FILTER, symbols: ['BTC-USDT-M'] } });
    release();
    await late;
    expect([log.applied.symbols[0], log.count, screen.started]).toEqual(['BTC-USDT-M', 10, 2]);
  });

  it('applies a filter and a sort that are requested while the other is pending', async () => {
    const byPrice = { column: 'price', descending: true };
    const { log } = start(many(30));
    await log.apply();
    const filter = { ...NO_FILTER, symbols: ['BTC-USDT-M'] };
    const first = log.apply({ filter });
    log.sortBy('price');
    await first;
    await settled();
    expect([log.applied, log.sort]).toEqual([filter, byPrice]);

    log.sortBy('fee');
    await log.apply({ filter: NO_FILTER });
    expect([log.applied, log.sort.column]).toEqual([NO_FILTER, 'fee']);

    log.sortBy('price');
    log.sortBy('price');
    await settled();
    expect(log.sort).toEqual({ column: 'price', descending: false });
  });

  it('shows no rows for a filter that could not be read, and reads them on retry', async () => {
    const { log, bridge } = start(many(10));
    await log.apply();
    const call = bridge.call;
    const failure = { kind: 'file', message: 'The archive is damaged.', next: 'Restart.' } as const;
    bridge.call = () => Promise.resolve({ ok: false, failure });
    await log.apply({ filter: { ...NO_FILTER, symbols: ['BTC-USDT-M'] } });
    expect([log.count, log.rowAt(0), log.failure]).toEqual([null, undefined, failure]);
    bridge.call = call;
    await log.apply();
    expect([log.count, log.failure]).toEqual([10, null]);
  });

  it('no longer says that a read of new rows failed once a later one succeeds', async () => {
    const { log, bridge, archive } = start(many(10));
    await log.apply();
    await settled();
    const call = bridge.call;
    const failure = { kind: 'file', message: 'The disk is busy.', next: 'Try again.' } as const;
    bridge.call = () => Promise.resolve({ ok: false, failure });
    await log.refresh();
    expect([log.count, log.failure]).toEqual([10, failure]);
    bridge.call = call;
    archive.rows = many(11);
    await log.refresh();
    await settled();
    expect([log.count, log.failure]).toEqual([11, null]);
  });

  it('drops everything of the previous connection', async () => {
    const { log } = start(many(10));
    log.fields.values.orderId = '12';
    await log.apply();
    await settled();
    log.follow('meridian');
    expect([log.count, log.totals, log.fields.values.orderId, log.symbols]).toEqual([null, null, '', []]);
  });
});

describe('the filter as typed', () => {
  const fieldsOf = (): TradeLog['fields'] => start([]).log.fields;
  /** The fields at a moment, and `to`, which sets the clock to a later one. */
  function at(moment: string) {
    const { log, time, clock } = start([]);
    const to = (later: string): void => {
      time.set += Date.parse(later) - time.now();
      clock.tick();
    };
    to(moment);
    return { fields: log.fields, to };
  }

  it('stands for inclusive times in the zone, and the digits of an order id', () => {
    const fields = fieldsOf();
    fields.values.from = '2026-11-20';
    fields.values.to = '2026-11-21';
    fields.values.orderId = ' 734829105569914880 ';
    expect(fields.query).toEqual({
      ...NO_FILTER,
      orderId: '734829105569914880',
      from: Date.parse('2026-11-20T00:00:00Z'),
      to: Date.parse('2026-11-21T23:59:59.999Z'),
    });
  });

  it('has an error text at its field, and no query then', () => {
    const fields = fieldsOf();
    fields.values.orderId = '12a';
    fields.values.from = 'yesterday';
    expect(fields.query).toBeNull();
    expect(fields.faults.orderId).toMatch(/Digits only/);
    expect(fields.faults.from).toMatch(/YYYY-MM-DD/);
    fields.clear();
    fields.values.from = '2026-11-21';
    fields.values.to = '2026-11-20';
    expect([fields.query, fields.faults.to]).toEqual([null, 'The end is before the start']);
  });

  it('recognises typed days that a preset has today', () => {
    const { fields } = at('2026-11-21T09:14:04Z');
    expect(fields.preset).toBe('all');
    fields.useDays({ from: '2026-10-23', to: '' });
    expect([fields.days.from, fields.preset]).toEqual(['2026-10-23', '30d']);
    fields.useDays({ from: '2026-10-23', to: '2026-11-01' });
    expect(fields.preset).toBe('');
    expect(fields.typed()).toMatchObject({ range: null, from: '2026-10-23', to: '2026-11-01' });
  });

  it('keeps the name of the chosen preset where others have the same days, and once the day has changed', () => {
    for (const preset of ['today', 'month', 'year'] as const) {
      const { fields, to } = at('2026-01-01T09:14:04Z');
      fields.usePreset(preset);
      expect([fields.days.from, fields.preset]).toEqual(['2026-01-01', preset]);
      fields.useDays(fields.days);
      expect(fields.preset).toBe(preset);
      to('2027-02-01T00:00:00Z');
      const days = { today: '2027-02-01', month: '2027-02-01', year: '2027-01-01' };
      expect([fields.days.from, fields.preset]).toEqual([days[preset], preset]);
      expect(fields.query?.from).toBe(Date.parse(`${days[preset]}T00:00:00Z`));
    }
  });

  it('takes presets from the zone’s calendar; a past one has both ends', () => {
    const now = Date.parse('2026-03-31T23:30:00Z');
    const spans = (zone: string) =>
      (['month', 'last-month', '3-months', 'year', 'last-year'] as const).map((preset) =>
        Object.values(rangeOf(preset, now, zone)).join(' '),
      );
    expect(spans('UTC')).toEqual([
      '2026-03-01 ',
      '2026-02-01 2026-02-28',
      '2025-12-01 2026-02-28',
      '2026-01-01 ',
      '2025-01-01 2025-12-31',
    ]);
    // It is already April in Tokyo.
    expect(spans('Asia/Tokyo')[1]).toBe('2026-03-01 2026-03-31');
    const { fields } = at('2026-03-31T23:30:00Z');
    fields.usePreset('last-month');
    expect(fields.query).toMatchObject({
      from: Date.parse('2026-02-01T00:00:00Z'),
      to: Date.parse('2026-02-28T23:59:59.999Z'),
    });
  });

  it('highlights the trades of a contract however they spell it, as the filter finds them', () => {
    const { log } = start([]);
    Object.assign(log.fields.values, { symbols: ['BTC-USDT-M', 'AB-C-M'], lightUp: true });
    log.symbols = ['BTC_USDT', 'btcusdt', 'BTC-USD', 'ABC'];
    const ids = ['BTC-USDT-M', 'AB-C-M', 'A-BC-M'];
    log.groups.contracts = ids.map((symbolId) => tradedContract({ ...LINEAR, symbolId }));
    expect([...log.highlighted].sort()).toEqual(['AB-C-M', 'BTC-USDT-M', 'BTC_USDT', 'btcusdt']);
  });

  it('highlights contracts without filtering by them, and stores that under a name', () => {
    const fields = fieldsOf();
    fields.values.symbols = ['BTC-USDT-M'];
    fields.values.lightUp = true;
    expect([fields.query?.symbols, [...fields.highlighted], fields.active]).toEqual([
      [],
      ['BTC-USDT-M'],
      false,
    ]);
    const kept = fields.typed();
    expect(kept.lightUp).toBe(true);
    fields.clear();
    fields.use(kept);
    expect([...fields.highlighted]).toEqual(['BTC-USDT-M']);
    fields.values.lightUp = false;
    expect([fields.query?.symbols, fields.highlighted.size]).toEqual([['BTC-USDT-M'], 0]);
  });
});
