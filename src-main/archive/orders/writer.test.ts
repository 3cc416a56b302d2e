import { describe, expect, it, onTestFinished } from 'vitest';
import {
  orderHistoryFields,
  type HistoryOrder,
  type HistoryOrderField,
} from '../../../src-shared/exchange-api/order-history.ts';
import { ORDER_ROW, orderOf } from './codec.ts';
import { quarantinedRecords } from '../reports/info.ts';
import { openRecords, orderNumber, orders } from '../../../tests/archive/orders.ts';

function open() {
  const archive = openRecords();
  onTestFinished(() => archive.close());
  const all = (): HistoryOrder[] =>
    archive.db
      .prepare(`SELECT ${ORDER_ROW} FROM history_order o ORDER BY seq`)
      .all()
      .map((row) => orderOf(row, archive.strings));
  return { ...archive, all };
}
const open1 = orderNumber(1, { status: 'NEW', tradeQuantity: '0', profit: '0', mtime: 1_000_000 });

const FIELDS = Object.entries(orderHistoryFields).map(([name, field]) => ({
  ...field,
  name: name as HistoryOrderField,
}));
/** A final order with a value in every field, each of its own. */
const fullOrder = (): HistoryOrder =>
  orderNumber(1, {
    ...Object.fromEntries(
      FIELDS.filter(({ kind }) => kind === 'decimal').map(({ name }, index) => [name, `${index + 1}.5`]),
    ),
    cancelReason: 3,
    source: 4,
    leverage: 7,
    reduceOnly: true,
    postOnly: 1,
    reverseOrder: 0,
    tpType: 'LAST_PRICE',
    slType: 'MARK_PRICE',
    conditionOrderId: '5',
    positionId: '6',
    uid: '8',
  });

describe('storing orders', () => {
  it('restores every field as received, and stores each order once', () => {
    const { writer, all } = open();
    const odd = orderNumber(7, {
      symbolId: '=cmd|x',
      tpPrice: '1.50',
      tpType: '2',
      slPrice: null,
      avgPrice: null,
      conditionOrderId: '00123',
      uid: '18446744073709551615',
    });
    const given = [...orders(0, 5), odd];
    expect(writer.insert(given, null, [], 0)).toMatchObject({ added: 6, known: 0 });
    expect(writer.insert(given, null, [], 0)).toMatchObject({ added: 0, known: 6, quarantined: 0 });
    expect(all()).toEqual(given);
  });

  it('stores the newest version by update time until an order is final', () => {
    const { writer, all } = open();
    writer.insert([open1], null, [], 0);
    expect(writer.state().unsettled).toBe(1);
    const part = { ...open1, tradeQuantity: '0.004', mtime: open1.mtime + 5 };
    expect(writer.insert([part], null, [], 0)).toMatchObject({ changed: 1 });
    expect(writer.insert([open1], null, [], 0)).toMatchObject({ known: 1, changed: 0 });
    expect(all()).toEqual([part]);
    const final = { ...part, status: 'FILLED' };
    expect(writer.insert([final], null, [], 0)).toMatchObject({ changed: 1 });
    expect(writer.state()).toMatchObject({ stored: 1, unsettled: 0 });
    // A reply from before its end.
    expect(writer.insert([part], null, [], 0)).toMatchObject({ known: 1, quarantined: 0 });
    expect(all()).toEqual([final]);
  });

  it('stores the final version also if its update time is before that of another', () => {
    const { writer, all } = open();
    const final = { ...open1, status: 'CANCELED', mtime: open1.mtime - 1 };
    writer.insert([open1], null, [], 0);
    expect(writer.insert([final], null, [], 0)).toMatchObject({ changed: 1 });
    expect(all()).toEqual([final]);
  });

  it('quarantines another version of a final order, once, and shows both', () => {
    const { writer, all, db, strings } = open();
    const final = orderNumber(1);
    const other = { ...final, profit: '99', mtime: final.mtime + 1 };
    writer.insert([final], null, [], 0);
    expect(writer.insert([other, other], null, [], 5)).toMatchObject({ quarantined: 2 });
    expect(writer.insert([{ ...final, status: 'NEW', mtime: final.mtime + 1 }], null, [], 6)).toMatchObject({
      quarantined: 1,
    });
    expect(all()).toEqual([final]);
    const shown = quarantinedRecords(db, strings);
    expect(shown.map((one) => one.receivedAt)).toEqual([6, 5]);
    expect(shown[1]).toMatchObject({ resource: 'orders', id: final.id });
    expect([shown[1]?.stored, shown[1]?.later].map((text) => JSON.parse(text ?? '') as unknown)).toEqual([
      final,
      other,
    ]);
  });

  it('treats `1.5` and `1.50`, true and 1 as equal', () => {
    const { writer } = open();
    const first = orderNumber(1, { price: '1.50', reduceOnly: 1 });
    writer.insert([first], null, [], 0);
    expect(writer.insert([{ ...first, price: '1.5', reduceOnly: true }], null, [], 0)).toMatchObject({
      known: 1,
    });
  });

  it.each(FIELDS.filter(({ name }) => name !== 'id'))(
    'quarantines a final order with another $name',
    (field) => {
      const { writer, all } = open();
      const stored = fullOrder();
      const now = stored[field.name];
      const flag = now === true || now === 1 ? 0 : 1;
      const later = field.name === 'status' ? 'CANCELED' : '97.5';
      const other = {
        ...stored,
        [field.name]: field.kind === 'flag' ? flag : typeof now === 'number' ? now + 1 : later,
      };
      writer.insert([stored], null, [], 0);
      expect(all()).toEqual([{ ...stored, reduceOnly: 1, postOnly: 1, reverseOrder: 0 }]);
      expect(writer.insert([other as HistoryOrder], null, [], 0)).toMatchObject({ known: 0, quarantined: 1 });
      expect(writer.insert([stored], null, [], 0)).toMatchObject({ known: 1, quarantined: 0 });
    },
  );

  const isText = ({ kind }: (typeof FIELDS)[number]): boolean => ['text', 'id', 'choice'].includes(kind);
  it.each(FIELDS.filter((field) => !field.required && (field.optional || !isText(field))))(
    'restores a missing or unreadable $name',
    (field) => {
      const { name } = field;
      const { writer, all } = open();
      const missing = orderNumber(1, { [name]: null });
      const unreadable = { ...orderNumber(2, { [name]: null }), received: { [name]: '"n/a"' } };
      const rows = isText(field) ? [missing] : [missing, unreadable];
      expect(writer.insert(rows, null, [], 0)).toMatchObject({ added: rows.length });
      expect(all()).toEqual(rows);
      expect(writer.insert(rows, null, [], 0)).toMatchObject({ known: rows.length });
    },
  );

  it('stores an order once whose text is not well-formed', () => {
    for (const { name } of FIELDS.filter(({ kind }) => kind === 'text' || kind === 'choice')) {
      const { writer, all } = open();
      const odd = orderNumber(1, { [name]: 'a\uD800' });
      writer.insert([odd], null, [], 0);
      expect([name, writer.insert([odd], null, [], 0)]).toMatchObject([name, { known: 1, quarantined: 0 }]);
      expect(all()[0]?.[name]).toBe('a\uFFFD');
    }
  });

  it('takes of two versions at the same time the final one, and the later of two open ones', () => {
    const { writer, all } = open();
    const part = { ...open1, tradeQuantity: '0.004' };
    writer.insert([open1, part], null, [], 0);
    expect(all()).toEqual([part]);
    const final = { ...open1, status: 'CANCELED' };
    expect(writer.insert([final, part], null, [], 0)).toMatchObject({ changed: 1, known: 1, quarantined: 0 });
    expect(all()).toEqual([final]);
    expect(writer.insert([{ ...part, mtime: open1.mtime + 1 }], null, [], 0)).toMatchObject({
      quarantined: 1,
    });
  });

  it('moves the result of an order that ended on another day', () => {
    const { writer, db } = open();
    const day = 86_400_000;
    const days = () =>
      db
        .prepare('SELECT DISTINCT day FROM order_day WHERE orders > 0 ORDER BY day')
        .all()
        .map((row) => row['day']);
    writer.insert([{ ...open1, mtime: day - 1, tradeQuantity: '0.01', profit: '5' }], null, [], 0);
    writer.insert(
      [{ ...open1, mtime: day, tradeQuantity: '0.01', profit: '5', status: 'FILLED' }],
      null,
      [],
      0,
    );
    expect(days()).toEqual([1]);
  });

  it('lists what is not final by row, and its times and gaps', () => {
    const { writer } = open();
    expect(writer.state()).toEqual({
      stored: 0,
      oldest: null,
      newest: null,
      unsettled: 0,
      quarantined: 0,
      gaps: 0,
      checkpoint: null,
    });
    const rows = [1, 2, 3, 4].map((n) => orderNumber(n, { status: n === 2 ? 'FILLED' : 'NEW' }));
    const other = { from: 1, to: 5, symbol: 'BTC-USDT-M', reason: 'full' };
    const gaps = [{ from: 5, to: 5, symbol: null, reason: 'full' }, other];
    writer.insert(rows, 'here', gaps, 0);
    writer.insert([{ ...rows[1]!, profit: '77' }], null, [], 0);
    expect(writer.state()).toEqual({
      stored: 4,
      oldest: rows[0]!.orderTime,
      newest: rows[3]!.orderTime,
      unsettled: 3,
      quarantined: 1,
      gaps: 2,
      checkpoint: 'here',
    });
    expect(writer.gaps()).toEqual([other, gaps[0]]);
    const of = (seq: number) => ({ seq, id: rows[seq - 1]!.id, orderTime: rows[seq - 1]!.orderTime });
    expect(writer.nonFinal(0, 9, 0)).toEqual([of(1), of(3), of(4)]);
    expect([writer.nonFinal(1, 1, 0), writer.nonFinal(4, 9, 0)]).toEqual([[of(3)], []]);
  });

  it('numbers and names rows as before after a page that was undone', () => {
    const { writer, db, all } = open();
    const named = orderNumber(0, { symbolId: 'NEW-USDT-M' });
    db.exec("CREATE TRIGGER broken BEFORE INSERT ON sync_state BEGIN SELECT RAISE(ABORT, 'no room'); END");
    expect(() => writer.insert([named, orderNumber(1)], 'here', [], 0)).toThrow('no room');
    db.exec('DROP TRIGGER broken');
    writer.insert([orderNumber(2), named], 'here', [], 0);
    expect(all()).toEqual([orderNumber(2), named]);
    expect(writer.nonFinal(0, 9, 0)).toEqual([]);
    expect(db.prepare('SELECT max(seq) AS n FROM history_order').get()).toEqual({ n: 2 });
  });

  it('widens a gap that another of its kind overlaps, and no neighbour or other one', () => {
    const { writer } = open();
    const gap = (from: number, to: number, reason = 'a', symbol: string | null = null) => ({
      ...{ from, to, symbol, reason },
    });
    const put = (...gaps: ReturnType<typeof gap>[]) => writer.insert([], null, gaps, 0);
    const others = [gap(10_000, 30_000, 'b'), gap(10_000, 30_001, 'a', 'X'), gap(15_000, 15_000)];
    put(gap(10_000, 20_000), ...others, gap(20_000, 30_000));
    put(gap(12_000, 20_500), gap(9_000, 12_000));
    const range = (one: { readonly from: number; readonly to: number }) => [one.from, one.to];
    expect(writer.gaps().map(range)).toEqual([
      [9_000, 20_500],
      [10_000, 30_000],
      [10_000, 30_001],
      [15_000, 15_000],
      [20_000, 30_000],
    ]);
  });

  it('stores rows, gaps and checkpoint in one transaction', () => {
    const { writer, db } = open();
    const gap = { from: 5, to: 5, symbol: null, reason: 'full' };
    db.exec("CREATE TRIGGER broken BEFORE INSERT ON sync_state BEGIN SELECT RAISE(ABORT, 'no room'); END");
    expect(() => writer.insert(orders(0, 3), 'here', [gap], 0)).toThrow('no room');
    expect(writer.state()).toMatchObject({ stored: 0, checkpoint: null });
    expect(writer.gaps()).toEqual([]);
    db.exec('DROP TRIGGER broken');
    writer.insert(orders(0, 3), 'here', [gap, gap], 0);
    expect(writer.state()).toMatchObject({ stored: 3, checkpoint: 'here' });
    expect(writer.gaps()).toEqual([gap]);
  });
});

describe('positions the exchange closed', () => {
  it('are listed newest first, without orders of the user and without those that were never filled', () => {
    const { writer } = open();
    const close = (at: number, changes: Partial<HistoryOrder> = {}) =>
      orderNumber(at, { source: 2, status: 'FILLED', mtime: at, tradeQuantity: '32.0', ...changes });
    writer.insert(
      [close(20), orderNumber(21), close(22), close(23, { tradeQuantity: '0' }), close(24, { source: 10 })],
      null,
      [],
      0,
    );
    expect(writer.systemCloses().map(({ at, kind }) => [at, kind])).toEqual([
      [22, 'liquidation'],
      [20, 'liquidation'],
    ]);
  });
});
