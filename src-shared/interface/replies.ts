/**
 * From the `data` of a read endpoint to typed records: a fast pass first, and only where it fails the schema,
 * which names the field. Unknown extra fields are dropped from the record and reported as drift, as are values
 * outside the enums the interface shows.
 */
import * as v from 'valibot';
import { expandJsonNumber } from '../amount.ts';
import {
  accountTotals,
  assetFields,
  positionFields,
  type AccountInfo,
  type Asset,
  type Position,
} from './account.ts';
import type { ReadEndpoint } from './endpoints.ts';
import { isRecord, recordCheck, recordSchema, shown, type FieldTable } from './fields.ts';
import { openOrderFields, type OpenOrder } from './open-order.ts';
import { orderHistoryFields, type HistoryOrder } from './order-history.ts';
import { riskTierFields, symbolConfigFields, type RiskTier, type SymbolConfig } from './symbol-config.ts';
import { tradeFields, type Trade, type TradePage } from './trade.ts';

/** A reply that breaks the interface: the path of the field, what was expected, what came (shortened). */
export interface ReplyFault {
  readonly path: string;
  readonly message: string;
}

/** A value or field the interface does not show, kept and listed in diagnostics. */
export interface Drift {
  readonly record: string;
  readonly field: string;
  /** An unknown value of a known field, or `null` for an unknown field. */
  readonly value: string | null;
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

type Report = (drift: Drift) => void;

const fail = (path: string, message: string): never => {
  throw new ReplyFaultError({ path, message });
};

/** Reads records of one table. */
function reader<R>(name: string, table: FieldTable): (value: unknown, path: string, report: Report) => R[] {
  const check = recordCheck(table);
  const schema = recordSchema(table);
  const names = Object.keys(table);
  const enums = Object.entries(table).flatMap(([field, { known }]) =>
    known === null ? [] : [{ field, known }],
  );
  return (value, path, report) => {
    if (!Array.isArray(value)) return fail(path, `expected a list, received ${shown(value)}`);
    return (value as unknown[]).map((record, index) => {
      if (!check(record)) {
        const issue = v.safeParse(schema, record).issues?.[0];
        const at = issue ? (v.getDotPath(issue) ?? '') : '';
        return fail(`${path}[${index}]${at && `.${at}`}`, issue?.message ?? 'not a record');
      }
      const source = record as Record<string, unknown>;
      for (const { field, known } of enums) {
        const one = source[field];
        if ((typeof one === 'string' && one !== '') || typeof one === 'number')
          if (!Object.hasOwn(known, one)) report({ record: name, field, value: String(one).slice(0, 60) });
      }
      const keys = Object.keys(source);
      if (keys.length === names.length) return source as R;
      for (const key of keys)
        if (!Object.hasOwn(table, key)) report({ record: name, field: key.slice(0, 60), value: null });
      return Object.fromEntries(names.map((field) => [field, source[field]])) as R;
    });
  };
}

const assets = reader<Asset>('asset', assetFields);
const positions = reader<Position>('position', positionFields);
const totals = reader<Omit<AccountInfo, 'assets' | 'positions'>>('totals', accountTotals);
const openOrders = reader<OpenOrder>('open order', openOrderFields);
const historyOrders = reader<HistoryOrder>('order history', orderHistoryFields);
const configs = reader<Omit<SymbolConfig, 'riskLimitConfigs'> & { riskLimitConfigs: unknown }>(
  'contract',
  symbolConfigFields,
);
const tiers = reader<Record<keyof RiskTier, string | number>>('risk tier', riskTierFields);
const trades = reader<Trade>('trade', tradeFields);

/** A JSON number as decimal text. The lossless reader hands large, fractional and exponent ones over as text. */
function tierNumber(value: string | number, path: string): string {
  return expandJsonNumber(String(value)) ?? fail(path, `number out of range: ${shown(value)}`);
}

function readTiers(value: unknown, path: string, report: Report): RiskTier[] {
  // Numbers with an exponent are legal JSON (`1.0E7`); they are written out before the table is checked.
  const plain = Array.isArray(value)
    ? value.map((tier: unknown) =>
        isRecord(tier)
          ? Object.fromEntries(
              Object.entries(tier).map(([key, one]) => [
                key,
                typeof one === 'string' ? (expandJsonNumber(one) ?? one) : one,
              ]),
            )
          : tier,
      )
    : value;
  return tiers(plain, path, report).map((tier, index) => ({
    level: tier.level as number,
    minPositionValue: tierNumber(tier.minPositionValue, `${path}[${index}].minPositionValue`),
    maxPositionValue: tierNumber(tier.maxPositionValue, `${path}[${index}].maxPositionValue`),
    maintainMarginRate: tierNumber(tier.maintainMarginRate, `${path}[${index}].maintainMarginRate`),
    maxLeverage: tierNumber(tier.maxLeverage, `${path}[${index}].maxLeverage`),
  }));
}

const count = (value: unknown, path: string): number =>
  Number.isSafeInteger(value) && (value as number) >= 0
    ? (value as number)
    : fail(path, `expected an integer, received ${shown(value)}`);

const READERS: { [K in ReadEndpoint]: (data: unknown, report: Report) => Replies[K] } = {
  account(data, report) {
    if (!isRecord(data)) return fail('data', `expected an object, received ${shown(data)}`);
    const { assets: assetList, positions: positionList, ...rest } = data;
    let own;
    try {
      own = totals([rest], 'data', report)[0]!;
    } catch (error) {
      if (error instanceof ReplyFaultError)
        return fail(error.fault.path.replace('[0]', ''), error.fault.message);
      throw error;
    }
    return {
      ...own,
      assets: assets(assetList, 'data.assets', report),
      positions: positions(positionList, 'data.positions', report),
    };
  },
  openOrders: (data, report) => openOrders(data, 'data', report),
  orderHistory: (data, report) => historyOrders(data, 'data', report),
  symbolConfig: (data, report) =>
    configs(data, 'data', report).map((config, index) => ({
      ...config,
      riskLimitConfigs: readTiers(config.riskLimitConfigs, `data[${index}].riskLimitConfigs`, report),
    })),
  trades(data, report) {
    if (!isRecord(data)) return fail('data', `expected an object, received ${shown(data)}`);
    return {
      data: trades(data.data, 'data.data', report),
      pageCount: count(data.pageCount, 'data.pageCount'),
      total: count(data.total, 'data.total'),
    };
  },
};

/** Reads `data` of a successful reply. Throws ReplyFaultError naming the first field that breaks the interface. */
export function readData<K extends ReadEndpoint>(endpoint: K, data: unknown, report: Report): Replies[K] {
  return READERS[endpoint](data, report);
}
