import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  changesBetween,
  equityStateOf,
  readEquityState,
  sampleOf,
  type ComparedAccount,
  type EquityState,
} from '../../../src-shared/domain/position/balance-change.ts';
import { openRecords, orderNumber } from '../../../tests/archive/orders.ts';
import { START } from '../../../tests/archive/trades.ts';
import { downsample } from '../lib/downsample.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
type Compared = ComparedAccount['positions'][number];
type Part = Pick<Compared, 'positionId' | 'realizedPnl' | 'fundAmount'> & Partial<Compared>;

const account = (balance: string, positions: readonly Part[]): ComparedAccount => ({
  ...{ totalEquities: balance, balance, available: balance, profitUnreal: '0' },
  assets: [{ coin: 'USDT', equities: balance, balance, available: balance, profitUnreal: '0' }],
  positions: positions.map((one) => ({
    ...{
      symbolId: 'BTC-USDT-M',
      feeAssetId: 'USDT',
      side: 'BUY',
      positionMode: 'ONEWAY',
      ctime: START - DAY,
    },
    ...one,
  })),
});
const position = (
  positionId: string,
  realizedPnl: string,
  fundAmount = '0',
  more: Partial<Compared> = {},
): Part => ({ positionId, realizedPnl, fundAmount, ...more });

function open() {
  const archive = openRecords();
  onTestFinished(() => archive.close());
  let before: EquityState | null = null;
  return {
    ...archive,
    /** As the recorder does. */
    look: (at: number, next: ComparedAccount): void => {
      const state = equityStateOf(next, at, before);
      const changes = before === null ? [] : changesBetween(before, state);
      const sample = sampleOf(next, at);
      if (sample === null) throw new Error('a total is missing');
      archive.equity.add(sample, changes, JSON.stringify(state));
      before = state;
    },
    moves: () =>
      archive.equity
        .samples({ from: null, to: null, coin: null, points: 100 })
        .moves.map((one) => [one.verdict, one.residual]),
  };
}

describe('equity store', () => {
  it('classifies a deposit as a transfer once the orders are verified, and nothing that positions explain', () => {
    const { look, moves, equity, stats } = open();
    look(START, account('1000', [position('1', '5')]));
    look(START + MINUTE, account('1002.5', [position('1', '7.5', '0.25')]));
    expect(moves()).toEqual([]);
    look(START + 2 * MINUTE, account('1102.5', [position('1', '7.5', '0.25')]));
    expect(moves()).toEqual([['open', '100']]);
    equity.classifyMoves(START + MINUTE);
    expect(moves()).toEqual([['open', '100']]);
    equity.classifyMoves(START + 3 * MINUTE);
    expect(moves()).toEqual([['possible-transfer', '100']]);
    const funding = stats.summary({ from: null, to: null, symbol: null }).funding;
    expect(funding).toEqual([{ coin: 'USDT', amount: '0.25' }]);
  });

  it.each(['USDT', ''])(
    'explains closed and unseen positions by their orders, margin coin “%s”',
    (lockAssetId) => {
      const { look, moves, equity, writer } = open();
      look(START, account('1000', [position('11', '-1', '0.5')]));
      // Closed with 20 − 2; another one opened and closed with 3 − 0.1.
      look(START + MINUTE, account('1021.9', []));
      expect(moves()).toHaveLength(1);
      const order = (n: number, positionId: string, profit: string, feeAmount: string, mtime: number) =>
        orderNumber(3 * n, { positionId, profit, feeAmount, mtime, orderTime: mtime, lockAssetId });
      writer.insert(
        [
          // Opening fee, already in the −1 (with the funding: −1 = −1.5 + 0.5).
          order(1, '11', '0', '1.5', START - DAY),
          order(2, '11', '20', '1', START + 5_000),
          order(3, '12', '3', '0.1', START + 6_000),
          order(4, '9', '99', '0', START - MINUTE),
        ],
        null,
        [],
        0,
      );
      equity.classifyMoves(START + 3 * MINUTE);
      expect(moves()).toEqual([]);
    },
  );

  /** An order that closed position 11 between the first two samples. */
  const closing = {
    positionId: '11',
    profit: '20',
    feeAmount: '1',
    mtime: START + 5_000,
    orderTime: START + 5_000,
  };
  /** Returns the moves to a balance beside the closing order and another one. */
  function movesTo(balance: string, other: Parameters<typeof orderNumber>[1]) {
    const { look, moves, equity, writer } = open();
    look(START, account('1000', [position('11', '0')]));
    look(START + MINUTE, account(balance, []));
    writer.insert([orderNumber(3, closing), orderNumber(6, { ...closing, ...other })], null, [], 0);
    equity.classifyMoves(START + 3 * MINUTE);
    return moves();
  }

  it.each([
    ['profit', { profit: null, received: { profit: 'soon' } }],
    ['fee', { feeAmount: null, received: { feeAmount: '?' } }],
    ['quantity', { tradeQuantity: null, received: { tradeQuantity: '?' } }],
    ['fee coin', { feeAssetId: '', received: { feeAssetId: '{}' } }],
    ['coin', { lockAssetId: '', feeAssetId: '' }],
    ['position', { positionId: '', received: { positionId: '?' } }],
  ])('does not know what is unexplained where the %s of an order cannot be read', (_field, unread) => {
    expect(movesTo('1018', unread)).toEqual([['possible-transfer', null]]);
  });

  it.each([
    ['nothing booked', { profit: '0', feeAmount: '0', lockAssetId: '', feeAssetId: '' }],
    ['another coin', { positionId: '', lockAssetId: 'BTC', feeAssetId: 'BTC' }],
    ['another time', { positionId: '', mtime: START + 2 * MINUTE }],
  ])('explains a balance beside an order that names no coin or position, with %s', (_what, more) => {
    expect(movesTo('1019', more)).toEqual([]);
  });

  it('explains a balance beside an order of another coin that cannot be read', () => {
    const coin = { lockAssetId: 'BTC', feeAssetId: 'BTC', profit: null, received: { profit: 'soon' } };
    expect(movesTo('1019', coin)).toEqual([]);
  });

  const hedge = (side: string): Partial<Compared> => ({ side, positionMode: 'HEDGE' });

  it('keeps both legs of a hedge apart that share an id, and contracts that do', () => {
    for (const [one, other] of [
      [hedge('BUY'), hedge('SELL')],
      [{}, { symbolId: 'ETH-USDT-M' }],
    ]) {
      const { look, moves, stats } = open();
      const legs = [position('1', '5', '2', one), position('1', '-3', '1', other)];
      for (const minute of [0, 1, 2]) look(START + minute * MINUTE, account('1000', legs));
      const paid = [legs[0]!, position('1', '-2.5', '1.5', other)];
      look(START + 3 * MINUTE, account('1000.5', paid));
      expect(moves()).toEqual([]);
      const { funding } = stats.summary({ from: null, to: null, symbol: null });
      expect(funding).toEqual([{ coin: 'USDT', amount: '0.5' }]);
    }
  });

  it('counts the funding of a position once that a reply leaves out, and that of its successor apart', () => {
    const { look, moves, stats } = open();
    const funding = (): unknown => stats.summary({ from: null, to: null, symbol: null }).funding;
    look(START, account('1000', [position('1', '5', '2'), position('2', '0')]));
    look(START + MINUTE, account('1000', [position('2', '0')]));
    look(START + 2 * MINUTE, account('1000', [position('2', '0')]));
    look(START + 3 * MINUTE, account('1000.5', [position('1', '5.5', '2.5'), position('2', '0')]));
    expect([moves(), funding()]).toEqual([[], [{ coin: 'USDT', amount: '0.5' }]]);
    // Closed, and opened again under its id: all of its funding is new.
    look(START + 4 * MINUTE, account('1000.5', [position('2', '0')]));
    const next = position('1', '0.25', '0.25', { ctime: START + 5 * MINUTE });
    look(START + 5 * MINUTE, account('1000.75', [next, position('2', '0')]));
    expect([moves(), funding()]).toEqual([[], [{ coin: 'USDT', amount: '0.75' }]]);
  });

  it('counts a position once that a reply lists twice', () => {
    const { look, moves } = open();
    look(START, account('1000', [position('1', '5'), position('1', '5')]));
    look(START + MINUTE, account('1001', [position('1', '6'), position('1', '6')]));
    expect(moves()).toEqual([]);
  });

  it('explains a leg or a contract that closed by its own orders, though its id is still in use', () => {
    for (const [gone, left, own, others] of [
      [hedge('BUY'), hedge('SELL'), { side: 'SELL', reduceOnly: 1 }, { side: 'SELL', reduceOnly: 0 }],
      [{}, { symbolId: 'ETH-USDT-M' }, { side: 'SELL' }, { side: 'SELL', symbolId: 'ETH-USDT-M' }],
    ] as const) {
      const { look, moves, equity, writer } = open();
      look(START, account('1000', [position('1', '0', '0', gone), position('1', '-7', '0', left)]));
      look(START + MINUTE, account('1018', [position('1', '-7', '0', left)]));
      const positionMode = 'positionMode' in gone ? 'HEDGE' : 'ONEWAY';
      const order = (n: number, profit: string, feeAmount: string, more: object) =>
        orderNumber(3 * n, {
          ...{ positionId: '1', positionMode, profit, feeAmount, symbolId: 'BTC-USDT-M' },
          ...{ mtime: START + 5_000, orderTime: START + 5_000, ...more },
        });
      writer.insert([order(1, '20', '2', own), order(2, '0', '7', others)], null, [], 0);
      equity.classifyMoves(START + 3 * MINUTE);
      expect(moves()).toEqual([]);
    }
  });

  it('explains a position that closed and opened again under its id', () => {
    const { look, moves, equity, writer } = open();
    const opened = (ctime: number): Partial<Compared> => ({ ctime });
    look(START, account('1000', [position('1', '-2', '0', opened(START - MINUTE))]));
    // Closed with 20 − 2, then another opened for 1, with the same id.
    look(START + MINUTE, account('1017', [position('1', '-1', '0', opened(START + 30_000))]));
    const order = (n: number, profit: string, feeAmount: string, mtime: number) =>
      orderNumber(3 * n, {
        ...{ positionId: '1', positionMode: 'ONEWAY', symbolId: 'BTC-USDT-M', profit, feeAmount },
        ...{ mtime, orderTime: mtime },
      });
    writer.insert(
      [
        order(1, '500', '3', START - DAY), // of a position long gone
        order(2, '0', '2', START - MINUTE),
        order(3, '20', '2', START + 20_000),
        order(4, '0', '1', START + 30_000),
      ],
      null,
      [],
      0,
    );
    equity.classifyMoves(START + 3 * MINUTE);
    expect(moves()).toEqual([]);
  });

  it('continues from a state of an older version, which names no leg', () => {
    const now = equityStateOf(
      account('1001', [position('1', '6', '0', hedge('SELL'))]),
      START + MINUTE,
      null,
    );
    const older = readEquityState(
      JSON.stringify({
        ...{ version: 1, at: START, balances: { USDT: '1000' } },
        positions: [{ id: '1', coin: 'USDT', symbol: 'BTC-USDT-M', realized: '5', funding: '0' }],
      }),
    );
    expect(older && changesBetween(older, now)).toEqual([]);
  });

  it('downsamples with age, and keeps the last sample of each interval', () => {
    const { look, equity } = open();
    const count = 20 * 24 * 4;
    for (let n = 0; n < count; n++) look(START + n * 5 * MINUTE, account(String(n), []));
    look(START + 120 * DAY, account('7', []));
    for (let n = 0; n < 501; n++) look(START + 120 * DAY + n * MINUTE, account(String(n), []));
    const { points, samples } = equity.samples({
      from: null,
      to: START + 100 * DAY,
      coin: null,
      points: 5_000,
    });
    // Older than 90 days: one an hour.
    expect(samples).toBe((count * 5) / 60);
    expect(points[0]?.balance).toBe('11');
    expect(equity.samples({ from: null, to: null, coin: 'USDT', points: 5_000 }).samples).toBe(samples + 501);
  });

  it('keeps one sample a minute of an hour ago, where the balance changed each second', () => {
    const { look, equity } = open();
    for (let n = 0; n < 500; n++) look(START + n * 1_000, account(String(n), []));
    look(START + 70 * MINUTE, account('500', []));
    const { points } = equity.samples({ from: null, to: null, coin: null, points: 5_000 });
    expect(points.map(({ balance }) => balance)).toEqual([
      ...['59', '119', '179', '239', '299', '359', '419', '479', '499'],
      '500',
    ]);
  });

  it('finds what to delete by its key, not by comparing every sample with every other', () => {
    const { look, db } = open();
    const prepared = vi.spyOn(db, 'prepare');
    look(START, account('7', []));
    const deletions = prepared.mock.calls.map(([sql]) => sql).filter((sql) => sql.startsWith('DELETE'));
    expect(deletions).toHaveLength(8);
    for (const sql of deletions) {
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
      const steps = plan.map((row) => String(row['detail'])).join('\n');
      expect(steps).toMatch(/SEARCH later USING (?:INTEGER )?PRIMARY KEY/);
    }
  });
});

it('downsampling keeps the ends, the lowest and the highest point', () => {
  const rows = Array.from({ length: 10_000 }, (_, at) => ({ at, value: String((at * 7_919) % 10_007) }));
  const few = downsample(
    rows,
    400,
    (one) => one.at,
    (one) => one.value,
  );
  expect(few.length).toBeLessThanOrEqual(400);
  expect([few[0], few.at(-1)]).toEqual([rows[0], rows.at(-1)]);
  const values = (list: readonly { value: string }[]) =>
    list.map((one) => BigInt(one.value)).sort((a, b) => (a < b ? -1 : 1));
  expect(values(few)[0]).toBe(values(rows)[0]);
  expect(values(few).at(-1)).toBe(values(rows).at(-1));
});
