import { describe, expect, it, onTestFinished } from 'vitest';
import type { HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
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
