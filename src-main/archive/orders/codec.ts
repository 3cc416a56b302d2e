/** Converts order history records to rows and back, like `trades/codec.ts` for trades. */
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { isOn } from '../../../src-shared/exchange-api/enums.ts';
import {
  orderHistoryFields,
  type HistoryOrder,
  type HistoryOrderField,
} from '../../../src-shared/exchange-api/order-history.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { receivedSql, rowReader } from '../sqlite/received-text.ts';
import { idText, sameFigure, storedId } from '../trades/codec.ts';
import type { StringTable } from '../sqlite/string-table.ts';

/** Columns read as they are; ids are read as text, since no number holds them. */
const PLAIN = `seq is_final order_time mtime symbol_id side type time_in_force price avg_price total_quantity
  trade_quantity quantity cancel_quantity total_amount trade_amount amount cancel_amount status cancel_reason source
  profit fee_amount fee_asset_id fee_rate_maker fee_rate_taker liquidation_fee_rate leverage margin_mode
  position_mode locked released_lock lock_asset_id reduce_only post_only reverse_order tp_price tp_type sl_price
  sl_type`
  .split(/\s+/)
  .map((name) => `o.${name}`)
  .join(', ');

/** Columns of `history_order` as `orderOf` reads them; `o` is the table's name in the query. */
export const ORDER_ROW = `${PLAIN}, ${idText('o.condition_order_id')} AS condition_text,
  ${idText('o.position_id')} AS position_text, ${idText('o.id')} AS id_text, ${idText('o.uid')} AS uid_text,
  ${receivedSql('order_received', 'o')}`;

const readOrder = rowReader<HistoryOrder>(orderHistoryFields);

const textOrNull = (value: SQLOutputValue | undefined): string | null =>
  value === null ? null : asText(value);

export function orderOf(row: Record<string, SQLOutputValue>, strings: StringTable): HistoryOrder {
  const string = (column: string): string => strings.valueOf(asInteger(row[column]));
  const stringOrNull = (column: string): string | null => (row[column] === null ? null : string(column));
  const text = (column: string): string => asText(row[column]);
  const integer = (column: string): number => asInteger(row[column]);
  const raw = {
    orderTime: integer('order_time'),
    mtime: integer('mtime'),
    symbolId: string('symbol_id'),
    side: string('side'),
    type: string('type'),
    timeInForce: string('time_in_force'),
    price: text('price'),
    avgPrice: textOrNull(row['avg_price']),
    totalQuantity: text('total_quantity'),
    tradeQuantity: text('trade_quantity'),
    quantity: text('quantity'),
    cancelQuantity: text('cancel_quantity'),
    totalAmount: text('total_amount'),
    tradeAmount: text('trade_amount'),
    amount: text('amount'),
    cancelAmount: text('cancel_amount'),
    status: string('status'),
    cancelReason: integer('cancel_reason'),
    source: integer('source'),
    profit: text('profit'),
    feeAmount: text('fee_amount'),
    feeAssetId: string('fee_asset_id'),
    feeRateMaker: text('fee_rate_maker'),
    feeRateTaker: text('fee_rate_taker'),
    liquidationFeeRate: textOrNull(row['liquidation_fee_rate']),
    leverage: integer('leverage'),
    marginMode: string('margin_mode'),
    positionMode: string('position_mode'),
    locked: text('locked'),
    releasedLock: text('released_lock'),
    lockAssetId: string('lock_asset_id'),
    reduceOnly: integer('reduce_only'),
    postOnly: integer('post_only'),
    reverseOrder: integer('reverse_order'),
    tpPrice: textOrNull(row['tp_price']),
    tpType: stringOrNull('tp_type'),
    slPrice: textOrNull(row['sl_price']),
    slType: stringOrNull('sl_type'),
    conditionOrderId: text('condition_text'),
    positionId: text('position_text'),
    id: text('id_text'),
    uid: text('uid_text'),
  };
  return readOrder(raw, row['received']);
}

/** Returns a row's values in column order after `seq`, unreadable numbers as 0. Adds strings: requires a transaction. */
export function orderRow(order: HistoryOrder, strings: StringTable): SQLInputValue[] {
  const idOrNull = (value: string | null): number | null => (value === null ? null : strings.idOf(value));
  return [
    isFinal(order) ? 1 : 0,
    order.orderTime,
    order.mtime,
    strings.idOf(order.symbolId),
    strings.idOf(order.side),
    strings.idOf(order.type),
    strings.idOf(order.timeInForce),
    order.price ?? '0',
    order.avgPrice,
    order.totalQuantity ?? '0',
    order.tradeQuantity ?? '0',
    order.quantity ?? '0',
    order.cancelQuantity ?? '0',
    order.totalAmount ?? '0',
    order.tradeAmount ?? '0',
    order.amount ?? '0',
    order.cancelAmount ?? '0',
    strings.idOf(order.status),
    order.cancelReason ?? 0,
    order.source ?? 0,
    order.profit ?? '0',
    order.feeAmount ?? '0',
    strings.idOf(order.feeAssetId),
    order.feeRateMaker ?? '0',
    order.feeRateTaker ?? '0',
    order.liquidationFeeRate,
    order.leverage ?? 0,
    strings.idOf(order.marginMode),
    strings.idOf(order.positionMode),
    order.locked ?? '0',
    order.releasedLock ?? '0',
    strings.idOf(order.lockAssetId),
    isOn(order.reduceOnly ?? false) ? 1 : 0,
    isOn(order.postOnly ?? false) ? 1 : 0,
    isOn(order.reverseOrder ?? false) ? 1 : 0,
    order.tpPrice,
    idOrNull(order.tpType),
    order.slPrice,
    idOrNull(order.slType),
    storedId(order.conditionOrderId),
    storedId(order.positionId),
    storedId(order.id),
    storedId(order.uid),
  ];
}

/** Reports whether the status is final; NEW and unknown ones are not. */
export const isFinal = ({ status }: HistoryOrder): boolean => status === 'FILLED' || status === 'CANCELED';

/** Returns the order with lone surrogates replaced by U+FFFD, as UTF-8 stores them. */
export const orderWellFormed = (order: HistoryOrder): HistoryOrder => ({
  ...order,
  symbolId: order.symbolId.toWellFormed(),
  side: order.side.toWellFormed(),
  type: order.type.toWellFormed(),
  timeInForce: order.timeInForce.toWellFormed(),
  status: order.status.toWellFormed(),
  feeAssetId: order.feeAssetId.toWellFormed(),
  marginMode: order.marginMode.toWellFormed(),
  positionMode: order.positionMode.toWellFormed(),
  lockAssetId: order.lockAssetId.toWellFormed(),
  conditionOrderId: order.conditionOrderId.toWellFormed(),
  uid: order.uid.toWellFormed(),
  tpType: order.tpType?.toWellFormed() ?? null,
  slType: order.slType?.toWellFormed() ?? null,
});

const NAMES = Object.entries(orderHistoryFields);

/** Reports whether two versions are equal: decimals by value (`1.5` = `1.50`), flags by truth. */
export function sameOrder(a: HistoryOrder, b: HistoryOrder): boolean {
  const came = (order: HistoryOrder, name: string): string | undefined => order.received?.[name];
  return NAMES.every(([name, { kind }]) => {
    if (kind === 'decimal') return sameFigure(a, b, name);
    const [one, other] = [a, b].map((order) => order[name as HistoryOrderField]);
    if (one === null || other === null) return one === other && came(a, name) === came(b, name);
    if (kind === 'flag') return (one === true || one === 1) === (other === true || other === 1);
    return one === other;
  });
}
