import { describe, expect, it } from 'vitest';
import { failed } from '../../../src-shared/ipc/failures.ts';
import { NO_FILTER } from '../../../src-shared/ipc/trades.ts';
import { FakeBridge, FakeTime } from '../../../tests/renderer/fake-bridge.ts';
import { Clock } from '../runtime/clock.svelte.ts';
import { Settings } from '../session/settings.svelte.ts';
import { TradeGroupLog } from './groups.svelte.ts';

const group = (id: number, trades = 1) => ({
  kind: 'order',
  symbol: 'BTC-USDT-M',
  orderId: String(id),
  side: 'BUY',
  first: id * 10,
  last: id * 10 + trades,
  trades,
  makers: 0,
  qty: '1',
  quote: '1',
  fees: [],
  profit: { value: null, orders: 1, missing: 1, unsettled: 0, unread: 0, hedge: false },
  noted: [],
});
const FOLLOW_MS = 5_000;
const BROKEN = failed({ kind: 'file', message: 'The archive did not reply.', next: 'Try again.' });
const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

async function start(count: number) {
  const bridge = new FakeBridge();
  const time = new FakeTime();
  // Oldest first, as the archive numbers them, although it returns the newest first.
  const list = Array.from({ length: count }, (_, id) => group(id));
  bridge.replies = {
    'trades.building': () => null,
    'archive.coverage': () => ({
      trades: { gaps: [{ from: 0, to: 25, symbol: null, reason: 'the exchange refused the range' }] },
    }),
    'trades.groups': (input) => {
      const { offset, limit } = input as { offset: number; limit: number };
      const rows = list.toReversed().slice(offset, offset + limit);
      return {
        rows,
        totals: [{ coin: 'USDT' }],
        count: list.length,
        stored: list.reduce((sum, one) => sum + one.trades, 0),
      };
    },
    'trades.page': (input) => {
      const { limit, filter } = input as { limit: number; filter: { orderId: string } };
      const rows = Array.from({ length: limit }, (_, n) => ({ tradeId: `${filter.orderId}.${n}` }));
      return { rows, noted: [], count: limit, stored: 1 };
    },
  };
  const groups = new TradeGroupLog(bridge, new Clock(time), new Settings(bridge));
  groups.follow('practice');
  await groups.show('order', NO_FILTER);
  const pass = (): Promise<void> => {
    time.pass(FOLLOW_MS);
    return settled();
  };
  const grow = (): Promise<void> => {
    groups.archiveGrew(1_000_000);
    return pass();
  };
  return { groups, bridge, list, grow, pass };
}
/** Keeps back the next reply to a call, until the returned function is called. */
function holdNext({ replies }: FakeBridge, name: 'trades.page' | 'trades.groups'): () => void {
  const answer = replies[name]!;
  const held = Promise.withResolvers<null>();
  replies[name] = async (input) => {
    replies[name] = answer;
    const reply = answer(input);
    await held.promise;
    return reply;
  };
  return () => held.resolve(null);
}
const tradesUnder = (groups: TradeGroupLog, line: number, count: number): (string | undefined)[] =>
  Array.from({ length: count }, (_, at) => {
    const found = groups.lineAt(line + 1 + at);
    return found.kind === 'trade' ? found.trade?.tradeId : found.kind;
  });

describe('groups of the trade log', () => {
  it('add new ones while one is open, which stays open at its new place with its new trades', async () => {
    const { groups, list, grow } = await start(150);
    await groups.toggle(2);
    expect(tradesUnder(groups, 2, 2)).toEqual(['147.0', 'group']);
    list.push(group(150), group(151));
    list[147] = group(147, 3);
    await grow();
    expect([groups.count, groups.lines]).toEqual([152, 155]);
    expect(groups.lineAt(0)).toMatchObject({ group: { orderId: '151' }, open: false });
    expect(groups.lineAt(4)).toMatchObject({ group: { orderId: '147' }, open: true });
    expect(tradesUnder(groups, 4, 4)).toEqual(['147.0', '147.1', '147.2', 'group']);
  });

  it('open at their new place if new ones came while their trades were read', async () => {
    const { groups, bridge, list, grow } = await start(5);
    const release = holdNext(bridge, 'trades.page');
    const opening = groups.toggle(2);
    list.push(group(5));
    await grow();
    release();
    await opening;
    expect(groups.lineAt(2)).toMatchObject({ group: { orderId: '3' }, open: false });
    expect(groups.lineAt(3)).toMatchObject({ group: { orderId: '2' }, open: true });
    expect(groups.detail).toMatchObject({ orderId: '2' });
  });

  it('stay as opened while new ones were read, which are read again', async () => {
    const { groups, bridge, list, grow, pass } = await start(5);
    list.push(group(5));
    const release = holdNext(bridge, 'trades.groups');
    await grow();
    await groups.toggle(2);
    release();
    await settled();
    expect(groups.lineAt(2)).toMatchObject({ group: { orderId: '2' }, open: true });
    await pass();
    expect(groups.count).toBe(6);
    expect(groups.lineAt(3)).toMatchObject({ group: { orderId: '2' }, open: true });
  });

  it('stay open, and those in view in place, where scrolling shows that they moved', async () => {
    const { groups, list } = await start(250);
    await groups.toggle(2);
    const moves: number[] = [];
    groups.moved = (by) => moves.push(by);
    groups.setTopRow(95);
    list.push(group(250), group(251));
    groups.requestRows(95, 135);
    await settled();
    expect(groups.lineAt(4)).toMatchObject({ group: { orderId: '247' }, open: true });
    expect([tradesUnder(groups, 4, 2), groups.lines, moves]).toEqual([['247.0', 'group'], 253, [2]]);
    // Of the rows in view none is missing.
    for (const line of [97, 137]) expect(groups.lineAt(line)).toMatchObject({ group: { kind: 'order' } });
  });

  it('say that they changed places, also when there are as many as before', async () => {
    const { groups, list, grow } = await start(5);
    list[4] = group(4, 2);
    await grow();
    expect(groups.reordered).toBe(0);
    list.push(...list.splice(1, 1));
    await grow();
    expect([groups.count, groups.reordered]).toEqual([5, 1]);
    list.push(group(5));
    await grow();
    expect(groups.reordered).toBe(2);
  });

  it('keep the lines in view in place, and follow new ones from the top', async () => {
    const { groups, list, grow } = await start(150);
    const moves: number[] = [];
    groups.moved = (by) => moves.push(by);
    groups.setTopRow(40);
    list.push(group(150), group(151), group(152));
    await grow();
    expect(moves).toEqual([3]);
    groups.setTopRow(0);
    list.push(group(153));
    await grow();
    expect(moves).toEqual([3]);
    expect(groups.groupAt(0)).toMatchObject({ last: 1_531 });
  });

  it('are read again where another request to the archive replaced that of new ones', async () => {
    const { groups, bridge, list, grow, pass } = await start(3);
    list.push(group(3));
    const { call } = bridge;
    bridge.call = () => Promise.resolve(failed({ kind: 'cancelled', message: '', next: '' }));
    await grow();
    bridge.call = call;
    await pass();
    expect([groups.count, groups.failure]).toEqual([4, null]);
  });

  it.each<[string, (of: Awaited<ReturnType<typeof start>>) => unknown]>([
    ['another connection was chosen', ({ groups }) => groups.follow('meridian')],
    ['it was gone', ({ list, grow }) => (list.splice(2, 1), grow())],
  ])('show no failed read of one that ended after %s', async (_what, change) => {
    const b = await start(5);
    const { call } = b.bridge;
    const held = Promise.withResolvers<typeof BROKEN>();
    b.bridge.call = (name, ...input) => (name === 'trades.page' ? held.promise : call(name, ...input));
    const opening = b.groups.toggle(2);
    await change(b);
    held.resolve(BROKEN);
    await opening;
    expect(b.groups.failure).toBeNull();
  });

  it('show a failed read of one until one can be read', async () => {
    const { groups, bridge, list, grow } = await start(5);
    const { call } = bridge;
    await groups.toggle(1);
    bridge.call = (name, ...input) =>
      name === 'trades.page' ? Promise.resolve(BROKEN) : call(name, ...input);
    await groups.toggle(3);
    expect([groups.failure, groups.lineAt(4)]).toMatchObject([BROKEN.failure, { open: false }]);
    // The open one is read again too, and stays as it was.
    list[3] = group(3, 2);
    await grow();
    expect([groups.failure, tradesUnder(groups, 1, 2)]).toEqual([BROKEN.failure, ['3.0', 'group']]);
    bridge.call = call;
    await groups.toggle(3);
    expect([groups.failure, groups.lineAt(groups.lines - 2)]).toMatchObject([null, { kind: 'trade' }]);
  });

  it('show no totals of another filter or grouping, also where theirs cannot be read, but those of the same while sorting', async () => {
    const { groups, bridge } = await start(3);
    const release = holdNext(bridge, 'trades.groups');
    const sorting = groups.sortBy('volume');
    expect(groups.totals).toHaveLength(1);
    release();
    await sorting;
    bridge.call = () => Promise.resolve(BROKEN);
    await groups.show('order', { ...NO_FILTER, symbols: ['ETH-USDT-M'] });
    expect([groups.failure, groups.totals]).toEqual([BROKEN.failure, []]);
  });

  it('say which are in a gap of the verified history', async () => {
    const { groups } = await start(5);
    await settled();
    const inGap = [0, 1, 2, 3, 4].map((at) => {
      const found = groups.groupAt(at);
      return found !== undefined && groups.gapIn(found) !== undefined;
    });
    expect(inGap).toEqual([false, false, true, true, true]);
  });
});

describe('the note shown', () => {
  it('is that of the group opened last, changes in place, and goes with its group', async () => {
    const { groups } = await start(3);
    await groups.toggle(1);
    await groups.toggle(0);
    expect(groups.detail).toMatchObject({ orderId: '2' });
    groups.notesSaved([{ orderId: '2', text: 'why', tags: ['Plan'], editedAt: 1 }]);
    groups.notesSaved([{ orderId: '7', text: 'of none here', tags: [], editedAt: 1 }]);
    expect(groups.detail?.noted).toMatchObject([{ text: 'why' }]);
    expect(groups.groupAt(0)).toMatchObject({ noted: [{ tags: ['Plan'] }] });
    expect(groups.groupAt(1)).toMatchObject({ noted: [] });
    groups.notesSaved([{ orderId: '2', text: '', tags: [], editedAt: 2 }]);
    expect(groups.detail?.noted).toEqual([]);
    await groups.toggle(1);
    expect(groups.detail).toMatchObject({ orderId: '2' });
    await groups.toggle(0);
    expect(groups.detail).toBeNull();
    groups.showNote(2);
    expect(groups.detail).toMatchObject({ orderId: '0' });
    await groups.show('order', NO_FILTER);
    expect(groups.detail).toBeNull();
  });
});
