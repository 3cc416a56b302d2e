/**
 * Fuzzes records of every read endpoint: the API's samples with fields broken, added, dropped and swapped, through
 * the response parser. Also compares each table's fast check with its field-by-field reading.
 */
import { readFileSync } from 'node:fs';
import { accountTotals, assetFields, positionFields } from '../../src-shared/exchange-api/account.ts';
import type { ReadEndpoint } from '../../src-shared/exchange-api/endpoints.ts';
import {
  isRecord,
  readRecord,
  recordCheck,
  type Field,
  type FieldTable,
} from '../../src-shared/exchange-api/fields.ts';
import { JsonError, parseLossless } from '../../src-shared/exchange-api/lossless-json.ts';
import { openOrderFields, openOrderTpSlFields } from '../../src-shared/exchange-api/open-order.ts';
import { orderHistoryFields } from '../../src-shared/exchange-api/order-history.ts';
import { readData, ReplyFaultError } from '../../src-shared/exchange-api/replies.ts';
import { riskTierFields, symbolConfigFields } from '../../src-shared/exchange-api/symbol-config.ts';
import { tradeFields } from '../../src-shared/exchange-api/trade.ts';
import { fuzz, must, type SeededRandom, type Fuzzed } from './seeded-random.ts';

const SAMPLES: Readonly<Record<ReadEndpoint, string>> = {
  account: 'account',
  openOrders: 'open-orders',
  orderHistory: 'order-history',
  symbolConfig: 'symbol-config',
  trades: 'trades',
};
const ENDPOINTS = Object.keys(SAMPLES) as ReadEndpoint[];
const samples = new Map(
  ENDPOINTS.map((name) => {
    const path = new URL(`../../src-shared/exchange-api/samples/${SAMPLES[name]}.json`, import.meta.url);
    return [name, readFileSync(path, 'utf8')] as const;
  }),
);
const dataOf = (name: ReadEndpoint): unknown => {
  const envelope = parseLossless(samples.get(name) ?? '');
  return isRecord(envelope) ? envelope['data'] : null;
};

const TABLES: readonly FieldTable[] = [
  accountTotals,
  assetFields,
  positionFields,
  openOrderFields,
  openOrderTpSlFields,
  orderHistoryFields,
  symbolConfigFields,
  riskTierFields,
  tradeFields,
];
const pairs = TABLES.map((table) => ({
  table,
  check: recordCheck(table),
}));

const ODD: readonly unknown[] = [
  null,
  undefined,
  '',
  '0',
  '1.5',
  '-1',
  '+1',
  '1,5',
  '1e5',
  '01',
  'NaN',
  '٣',
  ' 1',
  '1 ',
  '0x10',
  0,
  1,
  -1,
  1.5,
  2 ** 53,
  -0,
  true,
  false,
  [],
  {},
  [1],
  { toString: 'x' },
  '9'.repeat(25),
  `0.${'1'.repeat(19)}`,
  '<img src=x onerror=alert(1)>',
  '\u202e',
  '\ud800',
];

/** Puts odd values into a copy of the value, and counts the places. */
function broken(value: unknown, random: SeededRandom): unknown {
  if (Array.isArray(value)) {
    if (random.often(4)) return random.one(ODD);
    const at = random.below(Math.max(value.length, 1));
    return (value as unknown[]).map((one, index) => (index === at ? broken(one, random) : one));
  }
  if (!isRecord(value)) return random.one(ODD);
  const keys = Object.keys(value);
  const key = random.one(keys);
  const copy: Record<string, unknown> = { ...value };
  switch (random.below(12)) {
    case 0:
      // Deleted by leaving it out, as a reply would.
      return Object.fromEntries(Object.entries(copy).filter(([name]) => name !== key));
    case 1:
      return { ...copy, [random.one(['extra', 'constructor', 'toString', ''])]: random.one(ODD) };
    case 2: {
      const other = random.one(keys);
      return { ...copy, [key]: copy[other], [other]: copy[key] };
    }
    case 3:
      return random.one(ODD);
    default: {
      const inner = copy[key];
      copy[key] = typeof inner === 'object' && inner !== null ? broken(inner, random) : random.one(ODD);
      return copy;
    }
  }
}

/** Reports floats in an accepted value: money would have lost digits. */
function floats(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isSafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(floats);
}

/** The slow reading must give what the fast check accepts, and convert what it rejects. */
function sameVerdict(random: SeededRandom): void {
  const { table, check } = random.one(pairs);
  const names = Object.keys(table);
  const record: Record<string, unknown> = {};
  for (const name of names) {
    const fitting = ODD.filter((one) => table[name]!.accepts(one));
    record[name] = fitting.length > 0 ? random.one(fitting) : null;
  }
  const touched = random.often(70) ? broken(record, random) : record;
  if (!isRecord(touched)) return must(!check(touched), 'accepted, though not a record', touched);
  const { record: read, fault } = readRecord(table, touched);
  if (check(touched)) {
    must(fault === null, 'fault', fault, 'in a value the fast check accepts', touched);
    for (const name of names) must(Object.is(read[name], touched[name]), 'changed', name, touched);
  } else if (fault === null)
    for (const name of names)
      must(read[name] === null || isUsable(table[name]!, read[name]), name, touched[name], read[name]);
  must(!floats(read), 'a float was accepted', touched);
}

const isUsable = (field: Field, value: unknown): boolean =>
  field.accepts(value) || (value === '' && ['text', 'choice', 'id'].includes(field.kind));

export const fuzzRecords = (inputs: number, from = 1): Fuzzed =>
  fuzz(inputs, from, (random) => {
    sameVerdict(random);
    const endpoint = random.one(ENDPOINTS);
    let data = dataOf(endpoint);
    for (let times = random.below(3); times > 0; times--) data = broken(data, random);
    // As it would arrive: values without JSON form are dropped.
    const text = JSON.stringify({ data }) as string | undefined;
    let parsed: unknown;
    try {
      parsed = parseLossless(text ?? '{}');
    } catch (error) {
      must(error instanceof JsonError, 'threw something else', String(error));
      return 'refused';
    }
    const arrived = isRecord(parsed) ? parsed['data'] : null;
    try {
      let faults = 0;
      const read = readData(endpoint, arrived, { drift: () => undefined, unreadable: () => faults++ });
      must(!floats(read), 'a float was accepted at', endpoint, text);
      return faults === 0 ? 'accepted' : 'refused';
    } catch (error) {
      if (!(error instanceof ReplyFaultError)) throw error;
      must(error.fault.path.startsWith('data'), 'no path:', error.fault);
      must(error.fault.message.length < 200, 'a long message:', error.fault);
      return 'refused';
    }
  });
