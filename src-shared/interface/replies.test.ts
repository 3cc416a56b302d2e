/** Recorded replies (samples/): nulls, unknown enum values and unknown fields included. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { accountTotals, assetFields, positionFields } from './account.ts';
import type { ReadEndpoint } from './endpoints.ts';
import { isSuccess, readEnvelope } from './envelope.ts';
import type { FieldTable } from './fields.ts';
import { parseLossless } from './lossless-json.ts';
import { openOrderFields } from './open-order.ts';
import { orderHistoryFields } from './order-history.ts';
import { readData, ReplyFaultError, type Drift, type Replies } from './replies.ts';
import { riskTierFields, symbolConfigFields } from './symbol-config.ts';
import { tradeFields } from './trade.ts';

const textOf = (name: string): string =>
  readFileSync(new URL(`samples/${name}.json`, import.meta.url), 'utf8');
const FILES: Readonly<Record<ReadEndpoint, string>> = {
  account: 'account',
  openOrders: 'open-orders',
  orderHistory: 'order-history',
  symbolConfig: 'symbol-config',
  trades: 'trades',
};

function dataOf(endpoint: ReadEndpoint): unknown {
  const envelope = readEnvelope(parseLossless(textOf(FILES[endpoint])));
  if ('missing' in envelope) throw new Error(envelope.missing);
  expect(isSuccess(envelope)).toBe(true);
  return envelope.data;
}
function read<K extends ReadEndpoint>(endpoint: K): { records: Replies[K]; drift: Drift[] } {
  const drift: Drift[] = [];
  return { records: readData(endpoint, dataOf(endpoint), (one) => drift.push(one)), drift };
}
const faultOf = (endpoint: ReadEndpoint, data: unknown): string => {
  try {
    readData(endpoint, data, () => undefined);
  } catch (error) {
    if (error instanceof ReplyFaultError) return error.fault.path;
    throw error;
  }
  return 'none';
};

describe('samples', () => {
  it('account: totals, assets and positions with nulls; drift is told, extra fields are left behind', () => {
    const { records, drift } = read('account');
    expect(Object.keys(records).sort()).toEqual(
      [...Object.keys(accountTotals), 'assets', 'positions'].sort(),
    );
    expect(Object.keys(records.positions[2]!).sort()).toEqual(Object.keys(positionFields).sort());
    expect(records.positions[1]).toMatchObject({ markPrice: null, lastPrice: null, tpSl: null });
    expect(records.positions[2]).toMatchObject({
      lastPrice: '',
      marginMode: 'PORTFOLIO',
      tpSl: '{"tp":"1"}',
    });
    expect(drift).toEqual(
      expect.arrayContaining([
        { record: 'totals', field: 'vipLevel', value: null },
        { record: 'asset', field: 'bonus', value: null },
        { record: 'position', field: 'marginMode', value: 'PORTFOLIO' },
        { record: 'position', field: 'adlRank', value: null },
      ]),
    );
    expect(drift).toHaveLength(4);
  });

  it('open orders: ids above 2^53, flags as 0/1 or true/false, unknown values kept as text', () => {
    const { records, drift } = read('openOrders');
    expect(records.map((order) => order.orderId)).toContain('9223372036854775807');
    expect(records[1]).toMatchObject({
      reduceOnly: 1,
      tpSl: { tpPriceType: '1', slPriceType: 2, slPrice: '80000' },
    });
    expect(records[2]).toMatchObject({ status: 'PARTIALLY_FILLED', timeInForce: 'GTX', type: 'STOP' });
    expect(drift.map(({ field, value }) => `${field}=${value}`)).toEqual([
      'type=STOP',
      'timeInForce=GTX',
      'status=PARTIALLY_FILLED',
      'clientOrderId=null',
    ]);
  });

  it('order history: nulls, unknown reasons and sources', () => {
    const { records, drift } = read('orderHistory');
    expect(records[1]).toMatchObject({ avgPrice: null, slType: null });
    expect(records[2]).toMatchObject({ status: 'EXPIRED', cancelReason: 7, source: 11, slType: '3' });
    expect(records[3]).toMatchObject({ reduceOnly: true, source: 2, positionId: '0' });
    const told = drift.map(({ field, value }) => `${field}=${value}`);
    for (const one of ['status=EXPIRED', 'cancelReason=7', 'source=11', 'slType=3', 'broker=null'])
      expect(told).toContain(one);
  });

  it('configuration: tier figures as the digits of the reply, exponents written out', () => {
    const { records, drift } = read('symbolConfig');
    expect(records[0]?.riskLimitConfigs).toEqual([
      {
        level: 1,
        minPositionValue: '0',
        maxPositionValue: '50000.00',
        maintainMarginRate: '0.0040',
        maxLeverage: '125',
      },
      {
        level: 2,
        minPositionValue: '50000.00',
        maxPositionValue: '10000000',
        maintainMarginRate: '0.005',
        maxLeverage: '99.5',
      },
      {
        level: 3,
        minPositionValue: '10000000',
        maxPositionValue: '9007199254740993',
        maintainMarginRate: '0.100000000000000001',
        maxLeverage: '2',
      },
    ]);
    expect(drift.map(({ field, value }) => `${field}=${value}`).sort()).toEqual(
      [
        'contractSide=QUANTO',
        'contractType=OPTION',
        'currency=null',
        'defaultMarginMode=PORTFOLIO',
        'tickSize=null',
      ].sort(),
    );
  });

  it('trades: a page with its counts; a rebate keeps its sign and zeros', () => {
    const { records, drift } = read('trades');
    expect(records.total).toBeGreaterThanOrEqual(records.data.length);
    expect(records.data[2]).toMatchObject({ fee: '-0.000000010000000000', liquidity: 'AUCTION' });
    expect(drift).toContainEqual({ record: 'trade', field: 'realizedPnl', value: null });
  });

  it('envelopes of orders and failures', () => {
    expect(readEnvelope(parseLossless(textOf('place-order')))).toMatchObject({ data: '734829105569914880' });
    expect(readEnvelope(parseLossless(textOf('place-batch')))).toMatchObject({ success: true, data: true });
    expect(readEnvelope(parseLossless(textOf('refused')))).toMatchObject({ code: '700017', success: false });
    expect(readEnvelope(parseLossless(textOf('server-error')))).toMatchObject({
      code: '500',
      data: undefined,
    });
    for (const [body, missing] of [
      [null, 'envelope'],
      [[], 'envelope'],
      [{ code: 0, success: true }, 'code'],
      [{ code: '0', success: 'true' }, 'success'],
    ] as const)
      expect(readEnvelope(body)).toEqual({ missing });
  });
});

/** Each record of the samples: how to get at it, its table, and the path a fault is told by. */
const RECORDS: readonly [ReadEndpoint, FieldTable, (data: never) => Record<string, unknown>, string][] = [
  ['account', accountTotals, (data: Record<string, unknown>) => data, 'data'],
  [
    'account',
    assetFields,
    (data: { assets: Record<string, unknown>[] }) => data.assets[1]!,
    'data.assets[1]',
  ],
  [
    'account',
    positionFields,
    (data: { positions: Record<string, unknown>[] }) => data.positions[2]!,
    'data.positions[2]',
  ],
  ['openOrders', openOrderFields, (data: Record<string, unknown>[]) => data[0]!, 'data[0]'],
  ['orderHistory', orderHistoryFields, (data: Record<string, unknown>[]) => data[1]!, 'data[1]'],
  ['symbolConfig', symbolConfigFields, (data: Record<string, unknown>[]) => data[2]!, 'data[2]'],
  [
    'symbolConfig',
    riskTierFields,
    (data: { riskLimitConfigs: Record<string, unknown>[] }[]) => data[0]!.riskLimitConfigs[1]!,
    'data[0].riskLimitConfigs[1]',
  ],
  ['trades', tradeFields, (data: { data: Record<string, unknown>[] }) => data.data[3]!, 'data.data[3]'],
];

describe('a reply that breaks the interface', () => {
  it.each(RECORDS)('%s names the field that is missing or of another type', (endpoint, table, find, path) => {
    for (const field of Object.keys(table))
      for (const wrong of [undefined, { no: 1 }, 'no decimal, no id \u0000', Number.NaN, '1e5', '1,5']) {
        if (table[field]!.accepts(wrong)) continue;
        const data = structuredClone(dataOf(endpoint));
        const record = find(data as never);
        if (wrong === undefined) Reflect.deleteProperty(record, field);
        else record[field] = wrong;
        // Exponents are legal in the JSON numbers of a tier.
        const legal = table === riskTierFields && wrong === '1e5' && field !== 'level';
        expect(faultOf(endpoint, data), `${field}: ${JSON.stringify(wrong)}`).toBe(
          legal ? 'none' : `${path}.${field}`,
        );
      }
  });

  it('says of a missing field what belongs there', () => {
    const data = structuredClone(dataOf('trades')) as { data: Record<string, unknown>[] };
    delete data.data[0]!['price'];
    expect(() => readData('trades', data, () => undefined)).toThrow(
      'data.data[0].price: expected plain decimal text, received nothing',
    );
  });

  it('a number where decimal text is promised, digits beyond the limits, data of another shape', () => {
    const withPrice = (price: unknown) => {
      const data = structuredClone(dataOf('trades')) as { data: Record<string, unknown>[] };
      data.data[0]!.price = price;
      return data;
    };
    for (const price of [97250.1, '1'.repeat(40), `0.${'1'.repeat(19)}`, '', ' 1', '１'])
      expect(faultOf('trades', withPrice(price)), String(price)).toBe('data.data[0].price');
    for (const endpoint of Object.keys(FILES) as ReadEndpoint[])
      for (const data of [null, undefined, 'x', 5, [5], { data: 5 }])
        expect(faultOf(endpoint, data), `${endpoint} ${JSON.stringify(data)}`).not.toBe('none');
    expect(faultOf('trades', { data: [], pageCount: -1, total: 0 })).toBe('data.pageCount');
    expect(faultOf('trades', { data: [], pageCount: 1, total: '5' })).toBe('data.total');
  });
});
