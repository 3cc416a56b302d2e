/** Recorded replies (samples/), including nulls, unknown enum values and unknown fields. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { accountTotals, assetFields, positionFields } from './account.ts';
import type { ReadEndpoint } from './endpoints.ts';
import { isSuccess, readEnvelope } from './envelope.ts';
import type { FieldTable } from './fields.ts';
import { parseLossless } from './lossless-json.ts';
import { openOrderFields } from './open-order.ts';
import { orderHistoryFields } from './order-history.ts';
import {
  readData,
  ReplyFaultError,
  type Drift,
  type ReadReport,
  type Replies,
  type UnreadableRecord,
} from './replies.ts';
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
  return {
    records: readData(endpoint, dataOf(endpoint), {
      drift: (one) => drift.push(one),
      unreadable: unexpected,
    }),
    drift,
  };
}
const unexpected = (one: UnreadableRecord): never => {
  throw new Error(one.message);
};
const faultOf = (endpoint: ReadEndpoint, data: unknown): string => {
  try {
    readData(endpoint, data, { drift: () => undefined, unreadable: unexpected });
  } catch (error) {
    if (error instanceof ReplyFaultError) return error.fault.path;
    throw error;
  }
  return 'none';
};

describe('samples', () => {
  it('account: totals, assets and positions with nulls; reports drift, drops extra fields', () => {
    const { records, drift } = read('account');
    expect(Object.keys(records).sort()).toEqual(
      [...Object.keys(accountTotals), 'assets', 'positions'].sort(),
    );
    expect(Object.keys(records.positions[2]!).sort()).toEqual(Object.keys(positionFields).sort());
    expect(records.positions[1]).toMatchObject({ markPrice: null, lastPrice: null, tpSl: null });
    expect(records.positions[2]).toMatchObject({
      lastPrice: null,
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
    const named = drift.map(({ field, value }) => `${field}=${value}`);
    for (const one of ['status=EXPIRED', 'cancelReason=7', 'source=11', 'slType=3', 'broker=null'])
      expect(named).toContain(one);
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
        received: { maxPositionValue: '1.0E7', maintainMarginRate: '5e-3' },
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

/** Each record of the samples: access, table, and the path of its faults. */
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

/** Values a field may have beyond what the exchange API documents. */
const BAD: readonly unknown[] = [
  ...[
    'no decimal, no id \u0000',
    '1,5',
    '',
    null,
    { no: 1 },
    [],
    true,
    -1,
    1.5,
    '٣',
    Number.MAX_SAFE_INTEGER,
  ],
  undefined,
];
const collect = () => {
  const drift: Drift[] = [];
  const unreadable: UnreadableRecord[] = [];
  const report: ReadReport = {
    drift: (one) => drift.push(one),
    unreadable: (one) => unreadable.push(one),
  };
  return { drift, unreadable, report };
};
/** The list that contains a record; totals are in none. */
const LISTS: Readonly<Record<string, (data: never) => readonly Record<string, unknown>[]>> = {
  data: (data: Record<string, unknown>) => [data],
  'data.assets[1]': (data: { assets: Record<string, unknown>[] }) => data.assets,
  'data.positions[2]': (data: { positions: Record<string, unknown>[] }) => data.positions,
  'data[0]': (data: Record<string, unknown>[]) => data,
  'data[1]': (data: Record<string, unknown>[]) => data,
  'data[2]': (data: Record<string, unknown>[]) => data,
  'data.data[3]': (data: { data: Record<string, unknown>[] }) => data.data,
};

describe('an unreadable field', () => {
  const whole = RECORDS.filter(([, table]) => table !== riskTierFields);
  it.each(whole)('of %s affects only itself, or its record if required', (endpoint, table, find, path) => {
    const sound = readData(endpoint, dataOf(endpoint), collect().report);
    const listOf = LISTS[path]!;
    const record = structuredClone(find(sound as never));
    const { assets: _, positions: __, ...bare } = record;
    for (const [name, field] of Object.entries(table))
      for (const bad of BAD) {
        const data = structuredClone(dataOf(endpoint));
        const source = find(data as never);
        if (bad === undefined) Reflect.deleteProperty(source, name);
        else source[name] = bad;
        const { unreadable, report } = collect();
        const read = readData(endpoint, data, report);
        const list = listOf(read as never);
        const what = `${name}: ${JSON.stringify(bad)}`;
        const others = listOf(sound as never);
        expect(list.length + unreadable.length, what).toBe(others.length);
        if (unreadable.length > 0) {
          expect(field.required, what).toBe(true);
          expect(unreadable[0]!.message, what).toContain(`${path}.${name}: expected`);
          expect(list, what).toEqual(others.filter((one) => one !== find(sound as never)));
          continue;
        }
        const own = find(read as never);
        // Every other field and record is unchanged.
        for (const other of Object.keys(table))
          if (other !== name && other !== 'received') expect(own[other], what).toEqual(bare[other]);
        expect(
          list.filter((one) => one !== own),
          what,
        ).toEqual(others.filter((one) => one !== find(sound as never)));
        const { received = {} } = own as { received?: Record<string, string> };
        if (bad === 'no decimal, no id \u0000' && !['text', 'choice'].includes(field.kind))
          expect(received[name], what).toBe(bad);
        if (['', null, undefined].includes(bad as string))
          expect([own[name], received[name]], what).toEqual([
            field.kind === 'list'
              ? []
              : ['text', 'choice', 'id'].includes(field.kind) && !field.optional
                ? ''
                : bad === '' && field.accepts('')
                  ? ''
                  : null,
            undefined,
          ]);
      }
  });

  it('that identifies its record quarantines the record as received', () => {
    const data = structuredClone(dataOf('openOrders')) as Record<string, unknown>[];
    const { length } = data;
    data[0]!['orderId'] = 'x-1';
    const { unreadable, report } = collect();
    const read = readData('openOrders', [...data, null, 'text'], report);
    expect(read).toHaveLength(length - 1);
    expect(unreadable.map(({ record, symbolId }) => [record, symbolId])).toEqual([
      ['open order', data[0]!['symbolId']],
      ['open order', null],
      ['open order', null],
    ]);
    expect(JSON.parse(unreadable[0]!.raw)).toMatchObject({ orderId: 'x-1' });
    expect(unreadable[0]!.message).toBe('data[0].orderId: expected digits as text, received "x-1"');
  });

  it('of one tier leaves the contract without tiers, which are kept as received', () => {
    const data = structuredClone(dataOf('symbolConfig')) as {
      riskLimitConfigs: { maxLeverage: unknown }[];
    }[];
    data[0]!.riskLimitConfigs[1]!.maxLeverage = 'many';
    const { unreadable, report } = collect();
    const [contract] = readData('symbolConfig', data, report);
    expect(contract!.riskLimitConfigs).toEqual([]);
    expect(contract!.received?.['riskLimitConfigs']).toContain('"maxLeverage":"many"');
    expect(unreadable).toHaveLength(1);
  });
});

describe('habits the exchange API allows', () => {
  it('sorts the risk tiers of a contract by level', () => {
    const data = structuredClone(dataOf('symbolConfig')) as { riskLimitConfigs: unknown[] }[];
    const sorted = readData('symbolConfig', data, collect().report);
    for (const one of data) one.riskLimitConfigs.reverse();
    expect(readData('symbolConfig', data, collect().report)).toEqual(sorted);
  });
  const withPrice = (price: unknown) => {
    const data = structuredClone(dataOf('trades')) as { data: Record<string, unknown>[] };
    data.data[0]!.price = price;
    const { price: value, received } = readData('trades', data, collect().report).data[0]!;
    return [value, received?.['price']];
  };
  it.each([
    ['97250.1', '97250.1', undefined],
    ['0E-8', '0', '0E-8'],
    ['1.5E-7', '0.00000015', '1.5E-7'],
    [5, '5', undefined],
    [`1.5${'0'.repeat(59)}`, '1.5', `1.5${'0'.repeat(59)}`],
    [`0.${'1'.repeat(40)}`, `0.${'1'.repeat(40)}`, undefined],
    [`0.${'1'.repeat(60)}`, null, `0.${'1'.repeat(60)}`],
    ['9'.repeat(60), null, '9'.repeat(60)],
    ['', null, undefined],
    [null, null, undefined],
  ])('reads a price of %j as %j, received %j', (came, value, received) => {
    expect(withPrice(came)).toEqual([value, received]);
  });

  describe('sizes of what is sold or held short, below zero', () => {
    const changed = <K extends ReadEndpoint>(endpoint: K, side: string, minus: readonly string[]) => {
      const data = structuredClone(dataOf(endpoint)) as {
        positions?: Record<string, unknown>[];
        data?: Record<string, unknown>[];
      } & Record<string, unknown>[];
      const source = (data.positions ?? data.data ?? data)[0]!;
      for (const name of minus) source[name] = `-${String(source[name])}`;
      source['side'] = side;
      const { drift, report } = collect();
      const read = readData(endpoint, data, report) as never as typeof data;
      return { drift, own: (read.positions ?? read.data ?? read)[0]!, sent: source };
    };
    it.each([
      ['account', ['quantity', 'entryValue']],
      ['openOrders', ['totalQuantity', 'quantity', 'tradeQuantity', 'totalAmount', 'tradeAmount']],
      ['orderHistory', ['totalQuantity', 'tradeQuantity', 'cancelQuantity', 'amount', 'cancelAmount']],
      ['trades', ['executedQty', 'executedQuoteQty']],
    ] as const)('are read without the minus, which is kept as received: %s', (endpoint, minus) => {
      const { own, sent } = changed(endpoint, 'SELL', minus);
      for (const name of minus) {
        expect(own[name]).toBe(String(sent[name]).slice(1));
        expect(own['received']).toMatchObject({ [name]: sent[name] });
      }
    });
    it('are unknown for a long position: side and quantity contradict each other', () => {
      const { own, sent, drift } = changed('account', 'BUY', ['quantity']);
      expect(own).toMatchObject({ quantity: null, received: { quantity: sent['quantity'] } });
      expect(drift).toContainEqual({ record: 'position', field: 'quantity', value: sent['quantity'] });
    });
    it('that are zero have no sign on either side', () => {
      const data = structuredClone(dataOf('account')) as { positions: Record<string, unknown>[] };
      Object.assign(data.positions[0]!, { side: 'BUY', quantity: '-0.000' });
      expect(readData('account', data, collect().report).positions[0]).toMatchObject({ quantity: '0.000' });
    });
  });

  it('accepts numbers for text, text for integers and flags, and ids of any characters', () => {
    const data = structuredClone(dataOf('orderHistory')) as Record<string, unknown>[];
    const own = {
      price: '97250.5',
      id: 12,
      uid: 'ü "7"',
      conditionOrderId: 'a,b',
      symbolId: 'btc_1币-usdt-M',
    };
    Object.assign(data[0]!, own, {
      leverage: '20',
      orderTime: '1700000000000',
      reduceOnly: '1',
      source: '2',
    });
    const { drift, unreadable, report } = collect();
    const [order] = readData('orderHistory', data, report);
    expect(unreadable).toEqual([]);
    expect(drift.filter(({ field }) => field in own)).toEqual([]);
    expect(order).toMatchObject({ ...own, id: '12', leverage: 20, orderTime: 1_700_000_000_000 });
    expect(order).toMatchObject({ reduceOnly: 1, source: 2 });
    expect(order!.received).toBeUndefined();
  });

  it('reports unknown values and fields inside a nested record', () => {
    const data = structuredClone(dataOf('openOrders')) as { tpSl: Record<string, unknown> | null }[];
    const at = data.findIndex(({ tpSl }) => tpSl !== null);
    Object.assign(data[at]!.tpSl ?? {}, { slPriceType: 9, trailing: true });
    const { drift, report } = collect();
    const order = readData('openOrders', data, report)[at]!;
    expect(drift).toContainEqual({ record: 'open order tpSl', field: 'slPriceType', value: '9' });
    expect(drift).toContainEqual({ record: 'open order tpSl', field: 'trailing', value: null });
    expect(order.tpSl).not.toHaveProperty('trailing');
  });
});

describe('an unusable reply', () => {
  it('fails for another shape of data, no list or no counts', () => {
    for (const endpoint of Object.keys(FILES) as ReadEndpoint[])
      for (const data of [null, undefined, 'x', 5, { data: 5 }])
        expect(faultOf(endpoint, data), `${endpoint} ${JSON.stringify(data)}`).not.toBe('none');
    expect(faultOf('trades', { data: [], pageCount: -1, total: 0 })).toBe('data.pageCount');
    expect(faultOf('trades', { data: [], pageCount: 1, total: 'five' })).toBe('data.total');
    expect(faultOf('trades', { data: [], pageCount: '1', total: '5' })).toBe('none');
    expect(faultOf('trades', { data: [], pageCount: null, total: 5 })).toBe('data.pageCount');
  });

  it('reports unknown fields of a page of trades', () => {
    const { drift, report } = collect();
    const page = readData('trades', { data: [], pageCount: 1, total: 0, nextCursor: 'x' }, report);
    expect(page).toEqual({ data: [], pageCount: 1, total: 0 });
    expect(drift).toEqual([{ record: 'trade page', field: 'nextCursor', value: null }]);
  });

  it('reads a count written as the number 120.0 or 1.2e2, as every other integer', () => {
    const page = parseLossless('{"data":[],"pageCount":1.0,"total":1.2e2}');
    expect(readData('trades', page, collect().report)).toEqual({ data: [], pageCount: 1, total: 120 });
    expect(faultOf('trades', { data: [], pageCount: 1, total: '1.5' })).toBe('data.total');
  });
});
