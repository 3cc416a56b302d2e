import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { add, amount, print, ZERO } from '../../../src-shared/amount.ts';
import { TAX_PRESETS, type ExportQuery } from '../../../src-shared/ipc/exports.ts';
import { TAX_TOOLS, type TaxTool } from '../../../src-shared/domain/history/tax-tools.ts';
import { DEFAULT_TAX } from '../../../src-shared/ipc/default-settings.ts';
import { NO_FILTER, type TradeFilter } from '../../../src-shared/ipc/trades.ts';
import type { HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import type { ProfitConvention } from '../../../src-shared/domain/history/profit-fit.ts';
import { OrderWriter } from '../orders/writer.ts';
import { profitChange } from '../trade-log/profit-finding.ts';
import type { ProfitTime } from './closing-orders.ts';
import { type ArchiveExport, exportPreview, exportSource } from './source.ts';
import { orderNumber } from '../../../tests/archive/orders.ts';
import { FULL_EXPORT, openHere, START, tradeNumber } from '../../../tests/archive/trades.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { DAY_MS } from '../../../src-shared/time.ts';

interface Reading {
  readonly profitsWithin?: ProfitTime;
  readonly convention?: ProfitConvention;
}

function written(
  preset: TaxTool | 'full',
  list: readonly Trade[],
  orders: readonly HistoryOrder[],
  filter: TradeFilter = NO_FILTER,
  tax: ExportQuery['tax'] = DEFAULT_TAX,
  { profitsWithin = 'fill', convention = 'before-fees' }: Reading = {},
) {
  const archive = openHere();
  for (const _step of profitChange(archive.db, convention)) void _step;
  archive.writer.insert(list, null, 0);
  new OrderWriter(archive.db, archive.strings).insert(orders, null, [], 0);
  const source = exportSource(archive, { ...FULL_EXPORT, preset, filter, tax, profitsWithin });
  const text = Buffer.concat([...source.chunks].map((one) => one.bytes)).toString('utf8');
  const sums = source.controlTotals();
  archive.close();
  return { lines: text.split('\r\n').slice(0, -1), text, sums };
}

const TIME = Date.UTC(2026, 10, 21, 9, 14, 3, 7);
const trade = tradeNumber(0, { tradeTime: TIME, fee: '0.0100', orderId: '5', tradeId: '6', side: 'SELL' });
const rebate = { ...trade, tradeTime: TIME + 1_000, fee: '-0.002', tradeId: '7' };
const order = (change: Partial<HistoryOrder> = {}): HistoryOrder =>
  orderNumber(0, { id: '5', mtime: TIME + 5_000, profit: '-1.50', side: 'SELL', ...change });

const USDT = 'eip155:1/erc20:0xdAC17F958D2ee523a2206206994597C13D831ec7';
/** The whole file of each tool: a fee, a rebate, a loss of an order, and a profit that is a whole number. */
const FILES: Readonly<Record<TaxTool, readonly string[]>> = {
  koinly: [
    'Koinly Date,Amount,Currency,Tag,Description,TxHash',
    '2026-11-21 09:14:03 UTC,-0.0100,USDT,futures fee,BTC-USDT-M SELL trade 6: trading fee,BTC-USDT-M-trade-6',
    '2026-11-21 09:14:04 UTC,0.002,USDT,futures fee,BTC-USDT-M SELL trade 7: trading fee rebate,BTC-USDT-M-trade-7',
    '2026-11-21 09:14:04 UTC,-1.50,USDT,realized gain,BTC-USDT-M SELL order 5: realised loss,order-5',
    '2026-11-21 09:14:09 UTC,5.0,BTC,realized gain,BTC-USDT-M BUY order 9: realised profit,order-9',
    '',
  ],
  cointracking: [
    'Type,Buy Amount,Buy Currency,Sell Amount,Sell Currency,Fee,Fee Currency,Exchange,Trade-Group,Comment,Date,Tx-ID',
    'Other Fee,,,0.0100,USDT,,,Meridian,BTC-USDT-M,BTC-USDT-M SELL trade 6: trading fee,2026-11-21 09:14:03,BTC-USDT-M-trade-6',
    'Other Income,0.002,USDT,,,,,Meridian,BTC-USDT-M,BTC-USDT-M SELL trade 7: trading fee rebate,2026-11-21 09:14:04,BTC-USDT-M-trade-7',
    'Derivatives / Futures Loss,,,1.50,USDT,,,Meridian,BTC-USDT-M,BTC-USDT-M SELL order 5: realised loss,2026-11-21 09:14:04,order-5',
    'Derivatives / Futures Profit,5,BTC,,,,,Meridian,BTC-USDT-M,BTC-USDT-M BUY order 9: realised profit,2026-11-21 09:14:09,order-9',
  ],
  cointracker: [
    'Date,Received Quantity,Received Currency,Sent Quantity,Sent Currency,Fee Amount,Fee Currency,Tag',
    '11/21/2026 09:14:03,,,0.0100,USDT,,,margin fee',
    '11/21/2026 09:14:04,0.002,USDT,,,,,margin rebate',
    '11/21/2026 09:14:04,,,1.50,USDT,,,margin loss',
    '11/21/2026 09:14:09,5,BTC,,,,,margin gain',
    '',
  ],
  rotki: [
    'Type,Location,Currency,Amount,Fee,Fee Currency,Description,Timestamp',
    `Spend,external,${USDT},0,0.0100,${USDT},BTC-USDT-M SELL trade 6: trading fee,${TIME}`,
    `Income,external,${USDT},0.002,,,BTC-USDT-M SELL trade 7: trading fee rebate,${TIME + 1_000}`,
    `Loss,external,${USDT},1.50,,,BTC-USDT-M SELL order 5: realised loss,${TIME + 1_000}`,
    `Income,external,BTC,5,,,BTC-USDT-M BUY order 9: realised profit,${TIME + 6_000}`,
    '',
  ],
  bittytax: [
    'Type,Buy Quantity,Buy Asset,Buy Value in GBP,Sell Quantity,Sell Asset,Sell Value in GBP,Fee Quantity,Fee Asset,Fee Value in GBP,Wallet,Timestamp,Note',
    'Margin-Fee,,,,0.0100,USDT,,,,,Meridian,2026-11-21 09:14:03 UTC,BTC-USDT-M',
    'Margin-Fee-Rebate,0.002,USDT,,,,,,,,Meridian,2026-11-21 09:14:04 UTC,BTC-USDT-M',
    'Margin-Loss,,,,1.50,USDT,,,,,Meridian,2026-11-21 09:14:04 UTC,BTC-USDT-M',
    'Margin-Gain,5,BTC,,,,,,,,Meridian,2026-11-21 09:14:09 UTC,BTC-USDT-M',
    '',
  ],
  blockpit: [
    'Date (UTC),Integration Name,Label,Outgoing Asset,Outgoing Amount,Incoming Asset,Incoming Amount,Fee Asset (optional),Fee Amount (optional),Comment (optional),Trx. ID (optional)',
    '21.11.2026 09:14:03,Meridian,Derivative Fee,USDT,0.0100,,,,,BTC-USDT-M SELL trade 6: trading fee,BTC-USDT-M-trade-6',
    '21.11.2026 09:14:04,Meridian,Derivative Profit,,,USDT,0.002,,,BTC-USDT-M SELL trade 7: trading fee rebate,BTC-USDT-M-trade-7',
    '21.11.2026 09:14:04,Meridian,Derivative Loss,USDT,1.50,,,,,BTC-USDT-M SELL order 5: realised loss,order-5',
    '21.11.2026 09:14:09,Meridian,Derivative Profit,,,BTC,5,,,BTC-USDT-M BUY order 9: realised profit,order-9',
    '',
  ],
  cryptotaxcalculator: [
    'Timestamp (UTC),Type,Base Currency,Base Amount,Quote Currency (Optional),Quote Amount (Optional),Fee Currency (Optional),Fee Amount (Optional),From (Optional),To (Optional),Blockchain (Optional),ID (Optional),Description (Optional),Reference Price Per Unit (Optional),Reference Price Currency (Optional)',
    '2026-11-21 09:14:03,margin-fee,USDT,0.0100,,,,,,,,BTC-USDT-M-trade-6,BTC-USDT-M SELL trade 6: trading fee,,',
    '2026-11-21 09:14:04,realized-profit,USDT,0.002,,,,,,,,BTC-USDT-M-trade-7,BTC-USDT-M SELL trade 7: trading fee rebate,,',
    '2026-11-21 09:14:04,realized-loss,USDT,1.50,,,,,,,,order-5,BTC-USDT-M SELL order 5: realised loss,,',
    '2026-11-21 09:14:09,realized-profit,BTC,5,,,,,,,,order-9,BTC-USDT-M BUY order 9: realised profit,,',
    '',
  ],
};

describe('layouts of tax tools', () => {
  it.each(TAX_PRESETS)('%s gets exactly this file; a profit is dated by its last fill', (preset) => {
    const whole = order({ id: '9', side: 'BUY', mtime: TIME + 6_000, profit: '5', lockAssetId: 'BTC' });
    expect(written(preset, [trade, rebate], [order(), whole]).text).toBe(FILES[preset].join('\r\n'));
  });

  it.each(TAX_PRESETS)('%s gets no row of a fee whose coin is not given, which is counted', (preset) => {
    const coinless = { ...trade, feeAsset: '' };
    const free = { ...coinless, tradeId: '8', fee: '0' };
    const { text, sums } = written(preset, [coinless, free], []);
    expect(text.trim().split('\r\n')).toHaveLength(1);
    expect(sums).toMatchObject({ unreadFees: 1, free: 1, agrees: true });
    expect(sums?.fees).toEqual([{ asset: '', amount: '0.01' }]);
  });

  it('are named as their tools are', () => {
    const names = Object.values(TAX_TOOLS).sort().join(', ');
    expect(names).toBe('BittyTax, Blockpit, CoinTracker, CoinTracking, CryptoTaxCalculator, Koinly, rotki');
  });

  it('spells Koinly’s tag column and rotki’s coins as the user chose', () => {
    const tax = { koinlyHeader: 'Label', rotkiAssets: { USDT: 'eip155:10/erc20:0x94b0' } } as const;
    const [header] = written('koinly', [trade], [], NO_FILTER, tax).lines;
    expect(header).toBe('Koinly Date,Amount,Currency,Label,Description,TxHash');
    const [, fee] = written('rotki', [trade], [], NO_FILTER, tax).lines;
    expect(fee).toContain('Spend,external,eip155:10/erc20:0x94b0,0,0.0100,eip155:10/erc20:0x94b0,');
  });

  it('names a coin without an identifier by its symbol, and no key of an object is one', () => {
    for (const feeAsset of ['ZZZ', 'constructor', '__proto__'])
      expect(written('rotki', [{ ...trade, feeAsset }], []).lines[1]).toContain(
        `Spend,external,${feeAsset},0,0.0100,${feeAsset},`,
      );
  });

  it('sums exactly to the archive’s totals, over many steps', () => {
    const list = Array.from({ length: 4_900 }, (_, n) =>
      tradeNumber(n, { orderId: String(n >> 1), ...(n === 0 ? { tradeTime: 0 } : {}) }),
    );
    const orders = Array.from({ length: 2_300 }, (_, n) =>
      orderNumber(n, {
        id: String(n),
        mtime: START + n * 2_000 + 1_500,
        profit: `${n % 3 === 0 ? '-' : ''}0.1`,
      }),
    );
    const { text, sums } = written('koinly', list, orders);
    const rows = parse<Record<string, string>>(text, { columns: true });
    expect(rows).toHaveLength(7_200);
    const of = (label: string, coin: string): string =>
      print(
        rows
          .filter((row) => row['Tag'] === label && row['Currency'] === coin)
          .reduce((sum, row) => add(sum, amount(row['Amount']!)), ZERO),
      );
    expect(sums).toMatchObject({ trades: 4_900, agrees: true, free: 0 });
    for (const { asset, amount: fee } of sums?.fees ?? []) expect(of('futures fee', asset)).toBe(`-${fee}`);
    for (const { asset, amount: profit } of sums?.profit?.sums ?? [])
      expect(of('realized gain', asset)).toBe(profit);
    expect(sums?.profit).toMatchObject({ orders: 2_300, uncovered: 300, open: 0 });
    const times = rows.map((row) => row['Koinly Date']!);
    expect(times).toEqual([...times].sort());
  });

  it('has fees and profits by time, a profit after the fees of its millisecond', () => {
    const orders = [-1, 0, 1].map((ms) => order({ id: String(9 + ms), mtime: TIME + ms }));
    const later = { ...trade, tradeId: '7', tradeTime: TIME + 1 };
    expect(written('koinly', [trade, later], orders).lines.map((line) => line.split(',').at(-1))).toEqual([
      'TxHash',
      'order-8',
      'BTC-USDT-M-trade-6',
      'order-9',
      'BTC-USDT-M-trade-7',
      'order-10',
    ]);
  });

  it.each(['koinly', 'cointracking'] as const)('%s’s preview is how its file begins', async (preset) => {
    const archive = openHere();
    archive.writer.insert(
      Array.from({ length: 2_500 }, (_, n) => tradeNumber(n)),
      null,
      0,
    );
    const last = [9, 10, 11].map((n) => order({ id: String(n), mtime: START + n * DAY_MS }));
    new OrderWriter(archive.db, archive.strings).insert(last, null, [], 0);
    const query: ArchiveExport = { ...FULL_EXPORT, preset };
    const file = [...exportSource(archive, query).chunks]
      .map(({ bytes }) => Buffer.from(bytes).toString('utf8'))
      .join('');
    expect(file.trimEnd().split('\r\n')).toHaveLength(2_504);
    const { text } = await exportPreview(archive, query);
    expect([file.startsWith(text), text.trimEnd().split('\r\n').length]).toEqual([true, 11]);
    archive.close();
  });

  it('has no more profits than a preview shows, where no trade follows', async () => {
    const archive = openHere();
    const orders = Array.from({ length: 12 }, (_, n) => n + 1).map((n) =>
      order({ id: String(n), mtime: TIME + n }),
    );
    new OrderWriter(archive.db, archive.strings).insert(orders, null, [], 0);
    const { text } = await exportPreview(archive, { ...FULL_EXPORT, preset: 'rotki' });
    expect(text.trimEnd().split('\r\n')).toHaveLength(11);
    archive.close();
  });

  it('counts what it excludes: trades without a fee, trades of missing orders, open orders', () => {
    const free = { ...trade, fee: '0.00', tradeId: '8', orderId: '99' };
    const half = order({ id: '12', status: 'NEW', profit: '3' });
    const all = [trade, free, { ...free, fee: '0', tradeId: '9' }];
    const { lines, sums } = written('rotki', all, [order({ profit: '0' }), half]);
    expect(lines).toHaveLength(2);
    expect(sums).toMatchObject({ trades: 3, free: 2, profit: { orders: 0, uncovered: 2, open: 1 } });
    expect(written('full', [trade, free], [order(), half]).sums).toMatchObject({
      trades: 2,
      agrees: true,
      profit: { orders: 1, sums: [{ asset: 'USDT', amount: '-1.5' }], uncovered: 1, open: 1 },
    });
  });

  it('has a reference of its own for each side of a trade of the account with itself', () => {
    const other: Trade = { ...trade, side: 'BUY', orderId: '8', fee: '0.0040' };
    const { lines, sums } = written('koinly', [trade, other], []);
    expect(lines.slice(1).map((line) => line.split(',').at(-1))).toEqual([
      'BTC-USDT-M-trade-6',
      'BTC-USDT-M-trade-6-BUY',
    ]);
    expect(sums?.trades).toBe(2);
  });

  it('excludes and counts an unreadable fee and profit', () => {
    const unread = { ...trade, fee: null, received: { fee: '1O' }, tradeId: '8' };
    const soon = order({ id: '12', profit: null, received: { profit: 'soon' } });
    for (const [preset, rows] of [
      ['rotki', 3],
      ['full', 3],
    ] as const) {
      const { lines, sums } = written(preset, [trade, unread], [order(), soon]);
      expect(lines).toHaveLength(rows);
      expect(sums).toMatchObject({
        ...{ trades: 2, agrees: true, free: 0, unreadFees: 1, fees: [{ asset: 'USDT', amount: '0.01' }] },
        profit: { orders: 1, unread: 1 },
      });
    }
  });

  it.each([
    ['profit', { profit: null, received: { profit: 'soon' }, reduceOnly: 1 }],
    ['fee', { feeAmount: null, received: { feeAmount: 'soon' } }],
    ['profit and fee', { profit: null, feeAmount: null, reduceOnly: 1 }],
  ])('has no profit of an order after its fee whose %s cannot be read, and counts it', (_what, change) => {
    for (const preset of ['koinly', 'full'] as const) {
      const { sums } = written(preset, [trade], [order(change)], NO_FILTER, DEFAULT_TAX, {
        convention: 'after-fees',
      });
      expect(sums?.profit).toMatchObject({ orders: 0, sums: [], unread: 1 });
    }
    const { lines } = written('koinly', [trade], [order(change)], NO_FILTER, DEFAULT_TAX, {
      convention: 'after-fees',
    });
    expect(lines).toHaveLength(2);
  });

  it('needs no fee that is in another coin than the profit, or of an order that only opened', () => {
    const file = (change: Partial<HistoryOrder>) =>
      written(
        'koinly',
        [trade],
        [order({ feeAmount: null, received: { feeAmount: 'soon' }, ...change })],
        NO_FILTER,
        DEFAULT_TAX,
        { convention: 'after-fees' },
      ).sums?.profit;
    expect(file({ feeAssetId: 'BNB' })).toMatchObject({ orders: 1, unread: 0 });
    expect(file({ profit: '0', reduceOnly: 0 })).toMatchObject({ orders: 0, unread: 0 });
  });

  it.each(TAX_PRESETS)('%s gets no row of a profit whose coin is not given, which is counted', (preset) => {
    const { text, sums } = written(preset, [], [order({ lockAssetId: '', feeAssetId: '' })]);
    expect(text.trim().split('\r\n')).toHaveLength(1);
    expect(sums?.profit).toMatchObject({ orders: 0, sums: [], unread: 1 });
  });

  it('applies the filter; a cancelled order belongs to the day of its fill', () => {
    const late = order({ mtime: TIME + 40 * DAY_MS });
    const month = { ...NO_FILTER, from: TIME - DAY_MS, to: TIME + DAY_MS };
    expect(written('rotki', [trade], [late], month).lines).toHaveLength(3);
    expect(
      written('rotki', [trade], [late], { ...month, from: TIME + 2 * DAY_MS, to: null }).lines,
    ).toHaveLength(1);
    expect(written('rotki', [trade], [late], { ...NO_FILTER, symbols: ['ETH-USDT-M'] }).lines).toHaveLength(
      1,
    );
    expect(
      written('rotki', [trade], [late], { ...NO_FILTER, liquidities: ['MAKER'] }).sums?.profit,
    ).toBeNull();
  });

  it('has each profit in one of the files that follow each other, dated by its fill', () => {
    const border = TIME + DAY_MS;
    const [first, next] = [
      { ...NO_FILTER, to: border - 1 },
      { ...NO_FILTER, from: border },
    ];
    const file = (filter: TradeFilter, late: HistoryOrder) =>
      written('rotki', [trade], [late], filter, DEFAULT_TAX, { profitsWithin: 'change' }).lines.slice(1);
    const resting = order({ status: 'NEW', mtime: TIME });
    expect(file(first, resting)).toHaveLength(1);
    const cancelled = order({ status: 'CANCELED', mtime: border + 1 });
    expect(file(first, cancelled)).toHaveLength(1);
    expect(file(next, cancelled)).toEqual([
      `Loss,external,${USDT},1.50,,,BTC-USDT-M SELL order 5: realised loss,${TIME}`,
    ]);
    const atOnce = order({ mtime: TIME });
    expect([file(first, atOnce).length, file(next, atOnce).length]).toEqual([2, 0]);
  });

  it('has the profit of an order whose change was noted just before its fill in one of two such files', () => {
    const early = order({ mtime: TIME - 2_000 });
    const profits = [{ to: TIME - 1 }, { from: TIME }].map(
      (span) => written('koinly', [trade], [early], { ...NO_FILTER, ...span }).sums?.profit?.orders,
    );
    expect(profits).toEqual([0, 1]);
  });

  it('contains no spreadsheet formula, whatever the contract’s name', () => {
    const { lines } = written('koinly', [{ ...trade, symbol: '=1+1', feeAsset: '@x' }], []);
    expect(lines[1]).toContain(",'@x,");
    expect(lines[1]).toContain(",'=1+1 SELL trade");
  });
});
