/**
 * Converts the `data` of a read endpoint to typed records: a fast pass, then field by field. A bad value affects its
 * field, a bad record only itself; a broken list or envelope fails the reply. Unknown fields and enum values are
 * reported as drift.
 */
import {
  accountTotals,
  assetFields,
  positionFields,
  type AccountInfo,
  type Asset,
  type Position,
} from './account.ts';
import type { ReadEndpoint } from './endpoints.ts';
import {
  integer,
  isRecord,
  readRecord,
  recordCheck,
  shown,
  type FieldTable,
  type Received,
} from './fields.ts';
import { openOrderFields, type OpenOrder } from './open-order.ts';
import { orderHistoryFields, type HistoryOrder } from './order-history.ts';
import { riskTierFields, symbolConfigFields, type RiskTier, type SymbolConfig } from './symbol-config.ts';
import { tradeFields, type Trade, type TradePage } from './trade.ts';

/** A reply that violates the exchange API: field path, expected value and received one, shortened. */
export interface ReplyFault {
  readonly path: string;
  readonly message: string;
}

/** An undocumented value or field, stored and listed in diagnostics. */
export interface Drift {
  readonly record: string;
  readonly field: string;
  /** An unknown or unreadable value, or null for an unknown field. */
  readonly value: string | null;
}

/** A record that cannot be identified or read. */
export interface UnreadableRecord {
  /** Like `position`. */
  readonly record: string;
  /** Path of the unreadable field and what is wrong with it. */
  readonly message: string;
  /** Its symbol; null if unreadable. */
  readonly symbolId: string | null;
  /** Received JSON, shortened. */
  readonly raw: string;
}

/** Receives what a reply contains besides its records. */
export interface ReadReport {
  drift(one: Drift): void;
  unreadable(one: UnreadableRecord): void;
}

export class ReplyFaultError extends Error {
  override readonly name = 'ReplyFaultError';
  readonly fault: ReplyFault;
  constructor(fault: ReplyFault) {
    super(`${fault.path}: ${fault.message}`);
    this.fault = fault;
  }
}

export interface Replies {
  account: AccountInfo;
  openOrders: readonly OpenOrder[];
  orderHistory: readonly HistoryOrder[];
  symbolConfig: readonly SymbolConfig[];
  trades: TradePage;
}

const MAX_DRIFT = 60;
const MAX_RAW = 4_000;

const fail = (path: string, message: string): never => {
  throw new ReplyFaultError({ path, message });
};

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** Reports unknown enum values and fields of a record and its embedded records. */
function driftOf(name: string, table: FieldTable) {
  const fields = Object.entries(table);
  const enums = fields.flatMap(([field, { known }]) => (known === null ? [] : [{ field, known }]));
  const nested = fields.flatMap(([field, one]) =>
    one.table === null ? [] : [{ field, report: driftOf(`${name} ${field}`, one.table) }],
  );
  return (
    record: Readonly<Record<string, unknown>>,
    source: Readonly<Record<string, unknown>>,
    report: ReadReport,
  ): void => {
    for (const { field, known } of enums) {
      const one = record[field];
      if ((typeof one === 'string' && one !== '') || typeof one === 'number')
        if (!Object.hasOwn(known, one))
          report.drift({ record: name, field, value: cut(String(one), MAX_DRIFT) });
    }
    for (const { field, report: inner } of nested) {
      const [own, came] = [record[field], source[field]];
      if (isRecord(own) && isRecord(came)) inner(own, came, report);
    }
    const keys = Object.keys(source);
    if (keys.length === fields.length && record === source) return;
    for (const key of keys)
      if (!Object.hasOwn(table, key)) report.drift({ record: name, field: cut(key, MAX_DRIFT), value: null });
  };
}

const symbolOf = (source: unknown): string | null => {
  const name = isRecord(source) ? (source['symbolId'] ?? source['symbol']) : null;
  return typeof name === 'string' && name !== '' ? name : null;
};

const isMinus = (value: unknown): value is string => typeof value === 'string' && value.startsWith('-');
const IS_ZERO = /^-0(?:\.0*)?$/;

/**
 * Removes the minus from sizes of a sell or a short, where an exchange repeats the side by it, and from zeros. A minus
 * on the other side contradicts it and stays.
 */
function withoutMinus<R>(record: R, sizes: readonly string[]): R {
  const { side, received, ...fields } = record as Readonly<Record<string, unknown>>;
  const signed = sizes.filter((name) => {
    const value = fields[name];
    return isMinus(value) && (side === 'SELL' || IS_ZERO.test(value));
  });
  if (signed.length === 0) return record;
  const came = Object.fromEntries(signed.map((name) => [name, fields[name] as string]));
  const plain = Object.fromEntries(Object.entries(came).map(([name, text]) => [name, text.slice(1)]));
  return { ...record, ...plain, received: { ...came, ...(received as Received | undefined) } };
}

/** Creates a reader for the records of one table. `sizes`: its fields that are no less than zero. */
function reader<R>(
  name: string,
  table: FieldTable,
  sizes: readonly string[] = [],
): (value: unknown, path: string, report: ReadReport) => R[] {
  const check = recordCheck(table);
  const size = Object.keys(table).length;
  const drift = driftOf(name, table);
  const isSigned = (record: unknown): boolean =>
    sizes.some((field) => isMinus((record as Readonly<Record<string, unknown>>)[field]));
  const taken = (record: R): R => (isSigned(record) ? withoutMinus(record, sizes) : record);

  function readSlowly(source: unknown, path: string, report: ReadReport): R | null {
    const reject = (message: string): null => {
      report.unreadable({
        record: name,
        message,
        symbolId: symbolOf(source),
        raw: cut(JSON.stringify(source), MAX_RAW),
      });
      return null;
    };
    if (!isRecord(source)) return reject(`${path}: expected an object, received ${shown(source)}`);
    const { record, unreadable, fault } = readRecord(table, source);
    if (fault !== null)
      return reject(`${path}.${fault}: expected ${table[fault]!.expected}, received ${shown(source[fault])}`);
    for (const field of unreadable)
      report.drift({ record: name, field, value: cut(shown(source[field]), MAX_DRIFT) });
    drift(record, source, report);
    return record as R;
  }

  return (value, path, report) => {
    if (!Array.isArray(value)) {
      // A list of orders or positions read as empty by mistake would hide them.
      const doubt = value === null ? ', which may mean none or unknown' : '';
      return fail(path, `expected a list, received ${shown(value)}${doubt}`);
    }
    const records: R[] = [];
    for (const [index, source] of (value as unknown[]).entries()) {
      if (check(source) && Object.keys(source as object).length === size) {
        drift(source as Record<string, unknown>, source as Record<string, unknown>, report);
        records.push(taken(source as R));
        continue;
      }
      const record = readSlowly(source, `${path}[${index}]`, report);
      if (record !== null) records.push(taken(record));
    }
    return records;
  };
}

const assets = reader<Asset>('asset', assetFields);
const positions = reader<Position>('position', positionFields, ['quantity', 'entryValue']);
const totals = reader<Omit<AccountInfo, 'assets' | 'positions'>>('totals', accountTotals);
const ORDER_SIZES = ['totalQuantity', 'tradeQuantity', 'quantity', 'totalAmount', 'tradeAmount'];
const openOrders = reader<OpenOrder>('open order', openOrderFields, ORDER_SIZES);
const historyOrders = reader<HistoryOrder>('order history', orderHistoryFields, [
  ...ORDER_SIZES,
  ...['cancelQuantity', 'amount', 'cancelAmount'],
]);
const configs = reader<Omit<SymbolConfig, 'riskLimitConfigs'> & { riskLimitConfigs: unknown }>(
  'contract',
  symbolConfigFields,
);
const tiers = reader<RiskTier>('risk tier', riskTierFields);
const trades = reader<Trade>('trade', tradeFields, ['executedQty', 'executedQuoteQty']);

/**
 * Reads tiers all or none: a table with one missing is unusable. Sorts them by level, since their order in a reply is
 * not documented.
 */
function withTiers(
  config: Omit<SymbolConfig, 'riskLimitConfigs'> & { riskLimitConfigs: unknown },
  path: string,
  report: ReadReport,
): SymbolConfig {
  let faults = 0;
  const own: ReadReport = {
    drift: (one) => report.drift(one),
    unreadable(one) {
      faults++;
      report.unreadable({ ...one, symbolId: config.symbolId });
    },
  };
  const list = config.riskLimitConfigs;
  const riskLimitConfigs = tiers(list, path, own);
  if (faults === 0)
    return { ...config, riskLimitConfigs: riskLimitConfigs.toSorted((a, b) => a.level - b.level) };
  const received = { ...config.received, riskLimitConfigs: cut(JSON.stringify(list), MAX_RAW) };
  return { ...config, riskLimitConfigs: [], received };
}

/** A long position of a quantity below zero: which of the two is wrong cannot be known, so it has no quantity. */
function withoutContradiction(position: Position, report: ReadReport): Position {
  const { side, quantity, received } = position;
  if (side !== 'BUY' || !isMinus(quantity)) return position;
  report.drift({ record: 'position', field: 'quantity', value: cut(quantity, MAX_DRIFT) });
  return { ...position, quantity: null, received: { quantity, ...received } };
}

const PAGE_FIELDS: ReadonlySet<string> = new Set(['data', 'pageCount', 'total']);
const COUNT = integer('Count');
function count(value: unknown, path: string): number {
  const number = COUNT.accepts(value) ? value : COUNT.read(value).value;
  return typeof number === 'number' && number >= 0
    ? number
    : fail(path, `expected an integer, received ${shown(value)}`);
}

const READERS: { [K in ReadEndpoint]: (data: unknown, report: ReadReport) => Replies[K] } = {
  account(data, report) {
    if (!isRecord(data)) return fail('data', `expected an object, received ${shown(data)}`);
    const { assets: assetList, positions: positionList, ...rest } = data;
    const [own] = totals([rest], 'data', report);
    if (own === undefined) return fail('data', 'the totals cannot be read');
    return {
      ...own,
      assets: assets(assetList, 'data.assets', report),
      positions: positions(positionList, 'data.positions', report).map((one) =>
        withoutContradiction(one, report),
      ),
    };
  },
  openOrders: (data, report) => openOrders(data, 'data', report),
  orderHistory: (data, report) => historyOrders(data, 'data', report),
  symbolConfig: (data, report) =>
    configs(data, 'data', report).map((config, index) =>
      withTiers(config, `data[${index}].riskLimitConfigs`, report),
    ),
  trades(data, report) {
    if (!isRecord(data)) return fail('data', `expected an object, received ${shown(data)}`);
    for (const key of Object.keys(data))
      if (!PAGE_FIELDS.has(key))
        report.drift({ record: 'trade page', field: cut(key, MAX_DRIFT), value: null });
    return {
      data: trades(data.data, 'data.data', report),
      pageCount: count(data.pageCount, 'data.pageCount'),
      total: count(data.total, 'data.total'),
    };
  },
};

/** Reads `data` of a successful reply. Throws ReplyFaultError if it does not match the endpoint or has no list. */
export function readData<K extends ReadEndpoint>(endpoint: K, data: unknown, report: ReadReport): Replies[K] {
  return READERS[endpoint](data, report);
}
