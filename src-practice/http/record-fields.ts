/**
 * The kind of value of each field in the engine's records, from the API's tables, and the fields that have a
 * meaning only at times. Separate from the app's own tables, so that each checks the other.
 */
import { JsonNumber } from './json.ts';
import type { Json, JsonObject } from './json.ts';

export type Kind =
  | 'decimal'
  /** A decimal quotient, which can be printed with more digits. */
  | 'quotient'
  /** A quotient whose unit the API leaves open. */
  | 'ratio'
  /** A JSON number with decimals. */
  | 'number'
  | 'integer'
  | 'flag'
  | 'order-id'
  | 'position-id'
  | 'trade-id'
  | 'other-id'
  | 'contract'
  | 'trade-symbol'
  | 'coin'
  | 'liquidity'
  | 'trigger'
  | 'text';

/** A nested table is a nested record or a list of them. */
export type FieldKinds = { readonly [field: string]: Kind | FieldKinds };

const fields = <K extends Kind>(kind: K, names: string): Record<string, K> =>
  Object.fromEntries(names.split(' ').map((name) => [name, kind]));

const AMOUNTS = fields(
  'decimal',
  'available balance canTransfer crossLocked crossMargin crossProfitUnreal crossedMaintainMargin isolatedLocked ' +
    'isolatedMargin profitUnreal totalTrialFundBalance trialFundBalance',
);

/** Sizes and values of an order, a position or a trade that has a side. */
export const SIZES: ReadonlySet<string> = new Set(
  (
    'quantity totalQuantity tradeQuantity cancelQuantity executedQty ' +
    'entryValue totalAmount tradeAmount amount cancelAmount executedQuoteQty'
  ).split(' '),
);

const TRIGGER_ORDER: FieldKinds = {
  ...fields('decimal', 'executePrice quantity triggerPrice'),
  ...fields('integer', 'ctime priceType'),
  ...{ conditionOrderId: 'other-id', kind: 'text', triggerType: 'trigger', wholePosition: 'flag' },
};

export const POSITION: FieldKinds = {
  ...fields(
    'decimal',
    'bkrFee closedFee deductFeeAmount deductFundingAmount deductLossAmount entryValue feeAmount frozenFee fundAmount ' +
      'lastPrice liquidPrice maintainMargin margin markPrice otherClosedFee otherMaintainMargin pnl profitUnreal ' +
      'quantity realizedPnl',
  ),
  ...fields('ratio', 'marginRate profitUnrealRate'),
  ...fields('integer', 'ctime lastUpdateTime leverage posTpSlSize tpSlSize'),
  ...fields('text', 'marginMode positionMode side tpSl'),
  ...{ avgEntryPrice: 'quotient', feeAssetId: 'coin', positionId: 'position-id', symbolId: 'contract' },
  ...{ tpSlOrders: TRIGGER_ORDER, uid: 'other-id' },
};

export const ASSET: FieldKinds = {
  ...AMOUNTS,
  ...{ coin: 'coin', crossedMaintainMarginRate: 'ratio', equities: 'decimal', locked: 'decimal' },
};

export const ACCOUNT: FieldKinds = {
  ...AMOUNTS,
  ...{ crossedMaintainMarginRate: 'ratio', totalEquities: 'decimal', totalLocked: 'decimal' },
  ...{ assets: ASSET, positions: POSITION },
};

export const OPEN_ORDER: FieldKinds = {
  ...fields(
    'decimal',
    'feeAmount price profit quantity remainingLocked totalAmount totalQuantity tradeAmount tradeQuantity',
  ),
  ...fields('quotient', 'avgPrice profitRate'),
  ...fields('integer', 'ctime leverage mtime postOnly'),
  ...fields('text', 'marginMode positionMode side status timeInForce type'),
  ...{ conditionOrderId: 'other-id', feeAssetId: 'coin', orderId: 'order-id', reduceOnly: 'flag' },
  ...{ symbolId: 'contract', uid: 'other-id' },
  tpSl: {
    ...fields('decimal', 'slExecutePrice slPrice tpExecutePrice tpPrice'),
    ...fields('integer', 'slPriceType tpPriceType'),
  },
};

export const HISTORY_ORDER: FieldKinds = {
  ...fields(
    'decimal',
    'amount cancelAmount cancelQuantity feeAmount feeRateMaker feeRateTaker liquidationFeeRate locked price profit ' +
      'quantity releasedLock slPrice totalAmount totalQuantity tpPrice tradeAmount tradeQuantity',
  ),
  ...fields('integer', 'cancelReason leverage mtime orderTime postOnly reduceOnly reverseOrder source'),
  ...fields('text', 'marginMode positionMode side slType status timeInForce tpType type'),
  ...{ avgPrice: 'quotient', conditionOrderId: 'other-id', feeAssetId: 'coin', id: 'order-id' },
  ...{ lockAssetId: 'coin', positionId: 'position-id', symbolId: 'contract', uid: 'other-id' },
};

export const CONTRACT: FieldKinds = {
  ...fields('text', 'contractSide contractType defaultMarginMode'),
  ...{ symbolId: 'contract', defaultLeverage: 'integer' },
  riskLimitConfigs: {
    level: 'integer',
    ...fields('number', 'maintainMarginRate maxLeverage maxPositionValue minPositionValue'),
  },
};

export const TRADE: FieldKinds = {
  ...fields('decimal', 'executedQty executedQuoteQty fee price'),
  ...fields('integer', 'offset tradeTime'),
  ...{ feeAsset: 'coin', liquidity: 'liquidity', orderId: 'order-id', side: 'text', symbol: 'trade-symbol' },
  tradeId: 'trade-id',
};

export const TRADE_PAGE: FieldKinds = { data: TRADE, pageCount: 'integer', total: 'integer' };

/** Returns '' for a value that is not text. */
export function textOf(record: JsonObject, name: string): string {
  const value = record.get(name);
  return typeof value === 'string' ? value : '';
}

const is = (record: JsonObject, name: string, value: string): boolean => record.get(name) === value;
const isNumber = (record: JsonObject, name: string, literal: string): boolean => {
  const value = record.get(name);
  return value instanceof JsonNumber && value.literal === literal;
};
const isNone = (_record: JsonObject, value: Json): boolean => value === null || value === '';
const unfilled = (record: JsonObject): boolean => /^0(\.0+)?$/.test(textOf(record, 'tradeQuantity'));
const isOrder = (record: JsonObject): boolean => record.has('totalQuantity');

/** Fields that can be without meaning, each with its condition. */
const SOMETIMES: Readonly<Record<string, (record: JsonObject, value: Json) => boolean>> = {
  price: (record) => isOrder(record) && is(record, 'type', 'MARKET'),
  avgPrice: unfilled,
  profit: (record) => isOrder(record) && unfilled(record),
  profitRate: unfilled,
  lastPrice: () => true,
  liquidationFeeRate: (record) => !isNumber(record, 'source', '2'),
  ...Object.fromEntries(
    (
      'conditionOrderId bkrFee otherClosedFee otherMaintainMargin tpSl ' +
      'tpPrice slPrice tpExecutePrice slExecutePrice tpType slType executePrice'
    )
      .split(' ')
      .map((name) => [name, isNone]),
  ),
};

/** Reports whether the field has no meaning in this record. */
export const isAbsent = (record: JsonObject, field: string, value: Json): boolean =>
  SOMETIMES[field]?.(record, value) ?? false;
