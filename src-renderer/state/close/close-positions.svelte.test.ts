import { describe, expect, it } from 'vitest';
import { denied, done, failed } from '../../../src-shared/ipc/failures.ts';
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';
import { account, position } from '../../../tests/domain/order-samples.ts';
import { type Replies, fixture, record, REVIEW, settled } from '../../../tests/renderer/app-fixture.ts';

const THREE = [
  position(),
  position({ symbolId: 'BTC-USD-M', positionId: '2', side: 'SELL', quantity: '900' }),
  position({ positionId: '3', side: 'SELL', positionMode: 'HEDGE' }),
];

/** Three positions on the sheet; every order is accepted by default. */
async function opened(replies: Replies = {}, positions = THREE) {
  let tokens = 0;
  const all = await fixture('live', {
    'orders.review': () => done({ ...REVIEW, token: `token-${String(++tokens)}` }),
    ...replies,
  });
  all.accountIs(account(positions));
  const sheet = all.app.closePositions;
  sheet.start();
  const inputs = (name: string): unknown[] =>
    all.requests.filter((one) => one.name === name).map((one) => one.input);
  return { ...all, sheet, inputs, steps: () => sheet.rows.map(({ step }) => step.at) };
}

describe('closing everything', () => {
  it('sends one reduce-only market order without quantity per position, each with its own token', async () => {
    const { sheet, inputs, steps } = await opened();
    sheet.word = 'Close all ';
    await sheet.send();
    expect(inputs('orders.review')).toMatchObject([
      {
        kind: 'close-all',
        request: { symbolId: 'BTC-USDT-M', side: 'SELL', type: 'MARKET', reduceOnly: true },
      },
      { kind: 'close-all', request: { symbolId: 'BTC-USD-M', side: 'BUY' } },
      { kind: 'close-all', request: { symbolId: 'BTC-USDT-M', side: 'BUY' } },
    ]);
    expect(JSON.stringify(inputs('orders.review'))).not.toContain('quantity');
    expect(inputs('orders.send')).toEqual(
      ['token-1', 'token-2', 'token-3'].map((token) => ({ token, release: null })),
    );
    expect(steps()).toEqual(['sent', 'sent', 'sent']);
    expect(sheet.phase).toBe('over');
    await sheet.send();
    expect(inputs('orders.send')).toHaveLength(3);
  });

  it('sends nothing before the text is typed, and requires it again for another list', async () => {
    const { sheet, count, accountIs } = await opened();
    await sheet.send();
    sheet.word = 'close';
    await sheet.send();
    sheet.word = 'close all';
    expect(sheet.missing).toBeNull();
    accountIs(account(THREE.slice(1)));
    expect([sheet.word, sheet.changed]).toEqual(['', true]);
    await sheet.send();
    expect(count('orders.review')).toBe(0);
  });

  it('stops at an unknown outcome and does not send the rest', async () => {
    let sends = 0;
    const { sheet, steps, count, push } = await opened({
      'orders.send': () =>
        done(++sends === 2 ? record({ id: 'lost', state: 'unknown', orderId: null }) : record()),
    });
    sheet.word = 'close all';
    await sheet.send();
    expect(steps()).toEqual(['sent', 'sent', 'not-sent']);
    expect(count('orders.send')).toBe(2);
    expect(sheet.rows[1]?.step).toMatchObject({ record: { state: 'unknown' } });
    push('intent', record({ id: 'lost', state: 'landed' }));
    expect(sheet.rows[1]?.step).toMatchObject({ record: { state: 'landed' } });
  });

  it.each<[string, Replies, string]>([
    ['a refusal by the exchange', { 'orders.send': () => done(record({ state: 'rejected' })) }, 'sent'],
    ['a refusal here', { 'orders.review': () => failed(denied('Locked.', '', 'account')) }, 'refused'],
    ['a refusal at the send', { 'orders.send': () => failed(denied('Held.', '', 'order')) }, 'refused'],
    [
      'an outcome that was not written',
      { 'orders.send': () => failed({ kind: 'unknown', message: '', next: '' }) },
      'unknown',
    ],
    [
      'no answer of the main process',
      { 'orders.send': () => failed({ kind: 'bug', message: '', next: '' }) },
      'unknown',
    ],
  ])('stops at %s', async (_, replies, first) => {
    const { sheet, steps, count } = await opened(replies);
    sheet.word = 'close all';
    await sheet.send();
    expect(steps()).toEqual([first, 'not-sent', 'not-sent']);
    expect(count('orders.send')).toBeLessThan(2);
  });

  it('can be stopped between two orders, and sends once however often it is pressed', async () => {
    let reply: (value: ReturnType<typeof done<IntentRecord>>) => void = () => {};
    const slow = new Promise<ReturnType<typeof done<IntentRecord>>>((resolve) => (reply = resolve));
    const { sheet, steps, count } = await opened({ 'orders.send': () => slow });
    sheet.word = 'close all';
    const presses = Array.from({ length: 100 }, () => sheet.send());
    await settled();
    expect(steps()).toEqual(['sending', 'waiting', 'waiting']);
    sheet.close(); // has no effect while an order is being sent
    sheet.start();
    expect([sheet.shown, sheet.phase]).toEqual([true, 'running']);
    sheet.stop();
    reply(done(record()));
    await Promise.all(presses);
    expect(steps()).toEqual(['sent', 'not-sent', 'not-sent']);
    expect(count('orders.send')).toBe(1);
  });

  it('discards a token that arrives after it was stopped', async () => {
    let reply: (value: ReturnType<typeof done<typeof REVIEW>>) => void = () => {};
    const slow = new Promise<ReturnType<typeof done<typeof REVIEW>>>((resolve) => (reply = resolve));
    const { sheet, inputs, steps } = await opened({ 'orders.review': () => slow });
    sheet.word = 'close all';
    const run = sheet.send();
    sheet.stop();
    reply(done(REVIEW));
    await run;
    expect(inputs('orders.discard')).toEqual([{ token: 'token-1' }]);
    expect(inputs('orders.send')).toEqual([]);
    expect(steps()).toEqual(['not-sent', 'not-sent', 'not-sent']);
  });

  it('skips a position that is gone by its turn, and stops when the account is switched', async () => {
    const first = await opened({
      'orders.send': () => {
        first.accountIs(account([THREE[2] ?? position()]));
        return done(record());
      },
    });
    first.sheet.word = 'close all';
    await first.sheet.send();
    expect(first.steps()).toEqual(['sent', 'gone', 'sent']);

    const other = await opened({
      'orders.send': () => {
        other.sheet.reset();
        return done(record());
      },
    });
    other.sheet.word = 'close all';
    await other.sheet.send();
    expect(other.count('orders.send')).toBe(1);
    expect([other.sheet.shown, other.sheet.phase]).toEqual([false, 'choosing']);
  });

  it('closes winners, losers, one side, one coin or ticked ones, once their number is typed', async () => {
    const { sheet, inputs } = await opened({}, [
      position({ profitUnreal: '-1.5' }),
      position({
        symbolId: 'BTC-USD-M',
        positionId: '2',
        side: 'SELL',
        quantity: '900',
        profitUnreal: '0.1',
      }),
      position({ positionId: '3', side: 'SELL', positionMode: 'HEDGE', profitUnreal: null }),
    ]);
    const chosen = () => sheet.rows.flatMap((row) => (row.chosen ? [row.position.positionId] : []));
    const ids = (group: Parameters<typeof sheet.choose>[0]) => {
      sheet.choose(group);
      expect(sheet.isChosen(group)).toBe(true);
      return chosen().map((id) => (id.length > 1 ? '1' : id));
    };
    expect(ids('profit')).toEqual(['2']);
    expect(ids('loss')).toEqual(['1']);
    expect(ids('short')).toEqual(['2', '3']);
    expect(ids('long')).toEqual(['1']);
    expect(ids({ coin: 'BTC' })).toEqual(['1', '2', '3']);
    expect(sheet.wanted).toBe('close all');
    sheet.choose('loss');
    sheet.tick(sheet.rows[1]!.key, true);
    sheet.word = 'close all';
    expect(sheet.missing).toBe('Type close 2 to continue');
    sheet.word = 'close 2';
    expect(sheet.missing).toBeNull();
    sheet.tick(sheet.rows[0]!.key, false);
    expect(sheet.changed).toBe(true);
    sheet.word = 'close 1';
    await sheet.send();
    expect(sheet.rows).toHaveLength(1);
    expect(inputs('orders.review')).toMatchObject([
      { kind: 'close-all', request: { symbolId: 'BTC-USD-M' } },
    ]);
  });

  it('closes a part of each, rounded down to the step, and says which are too small', async () => {
    const { sheet, inputs } = await opened({}, [
      position({ quantity: '0.015' }),
      position({ positionId: '2', side: 'SELL', positionMode: 'HEDGE', quantity: '0.001' }),
    ]);
    sheet.part = '50';
    expect(sheet.rows[1]?.problem).toContain('less than 0.001 BTC');
    sheet.word = 'close 1';
    await sheet.send();
    expect(inputs('orders.review')).toMatchObject([
      { kind: 'order', request: { side: 'SELL', type: 'MARKET', reduceOnly: true, quantity: '0.007' } },
    ]);
    expect(sheet.rows.map(({ step }) => step.at)).toEqual(['sent', 'not-sent']);
  });

  it('leaves out positions that no order can be written for, and says why', async () => {
    const odd = [
      position({ side: 'LONG' }),
      position({ symbolId: 'OLD-USDT-M', positionId: '2' }),
      position({ positionId: '3', side: 'SELL' }),
      position({ symbolId: 'BTC-USD-M', positionId: '4' }),
    ];
    const { sheet, count, steps, push } = await opened({}, odd);
    push('intent', record({ id: 'held', symbolId: 'BTC-USD-M', side: 'SELL', state: 'unknown' }));
    expect(sheet.rows.map(({ problem }) => problem)).toEqual([
      expect.stringContaining('does not know the side'),
      expect.stringContaining('not in the exchange'),
      null,
      expect.stringContaining('outcome of an earlier order is unknown'),
    ]);
    expect(sheet.count).toBe(1);
    sheet.word = 'close all';
    await sheet.send();
    expect(steps()).toEqual(['not-sent', 'not-sent', 'sent', 'not-sent']);
    expect(count('orders.send')).toBe(1);
  });
});
