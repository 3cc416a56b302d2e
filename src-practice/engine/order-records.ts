/** Writes open orders (28 fields), order history (42) and trades (12) as API records. */
import { nearestDiv, printMoney, printRate, printTrimmed, RATE_ONE } from './atoms.ts';
import { printLots, printPrice, printProduct } from './contracts.ts';
import { AVERAGE_PLACES } from './liquid-price.ts';
import {
  conditionId,
  legOf,
  orderId,
  positionId,
  remainingLots,
  SOURCE_LIQUIDATION,
  statusOf,
  tradeId,
} from './orders.ts';
import type { Order, Trade } from './orders.ts';
import type { World } from './world.ts';

/** Fill amount / fill quantity; `null` while unfilled. */
function averagePrice(order: Order): string | null {
  if (order.filledLots === 0) return null;
  const { tickDecimals, tickUnits } = order.contract;
  const places = tickDecimals + AVERAGE_PLACES;
  const fine = order.filledProduct * tickUnits * 10n ** BigInt(AVERAGE_PLACES);
  return printTrimmed(nearestDiv(fine, BigInt(order.filledLots)), places);
}

const product = (order: Order, lots: number): string =>
  printProduct(order.contract, BigInt(order.ticks) * BigInt(lots));

const priceOf = (order: Order): string =>
  order.type === 'MARKET' ? '0' : printPrice(order.contract, order.ticks);

/** 1 = limit (an order price is given), 2 = market. */
const priceTypeOf = (leg: ReturnType<typeof legOf>): 1 | 2 | null => leg && (leg.execute === null ? 2 : 1);

export function tpSlOf({ tpSl }: Pick<Order, 'tpSl'>) {
  const tp = tpSl && legOf(tpSl, 'tp');
  const sl = tpSl && legOf(tpSl, 'sl');
  return {
    slExecutePrice: sl?.execute ?? null,
    slPrice: sl?.price ?? null,
    slPriceType: priceTypeOf(sl),
    tpExecutePrice: tp?.execute ?? null,
    tpPrice: tp?.price ?? null,
    tpPriceType: priceTypeOf(tp),
  };
}

export function openOrderRecord(world: World, order: Order) {
  const { contract } = order;
  return {
    avgPrice: averagePrice(order) ?? '0',
    conditionOrderId: conditionId(order.conditionSeq),
    ctime: order.createdAt,
    feeAmount: printMoney(order.fee),
    feeAssetId: contract.coin,
    leverage: order.leverage,
    marginMode: order.marginMode,
    mtime: order.changedAt,
    orderId: orderId(order.seq),
    positionMode: order.positionMode,
    postOnly: order.postOnly ? 1 : 0,
    price: priceOf(order),
    profit: printMoney(order.profit),
    profitRate:
      order.closedMargin === 0n ? '0' : printRate(nearestDiv(order.profit * RATE_ONE, order.closedMargin)),
    quantity: printLots(contract, remainingLots(order)),
    reduceOnly: order.reduceOnly,
    remainingLocked: printMoney(order.remainingLocked),
    side: order.side === 1 ? 'BUY' : 'SELL',
    status: statusOf(order),
    symbolId: contract.symbolId,
    timeInForce: order.timeInForce,
    totalAmount: product(order, order.totalLots),
    totalQuantity: printLots(contract, order.totalLots),
    tpSl: tpSlOf(order),
    tradeAmount: printProduct(contract, order.filledProduct),
    tradeQuantity: printLots(contract, order.filledLots),
    type: order.type,
    uid: world.account.uid,
  };
}

export function orderHistoryRecord(world: World, order: Order) {
  const { contract } = order;
  const tpSl = tpSlOf(order);
  const status = statusOf(order);
  return {
    amount: product(order, remainingLots(order)),
    avgPrice: averagePrice(order),
    cancelAmount: product(order, order.canceledLots),
    cancelQuantity: printLots(contract, order.canceledLots),
    cancelReason: order.cancelReason,
    conditionOrderId: conditionId(order.conditionSeq),
    feeAmount: printMoney(order.fee),
    feeAssetId: contract.coin,
    feeRateMaker: printRate(contract.maker),
    feeRateTaker: printRate(contract.taker),
    id: orderId(order.seq),
    leverage: order.leverage,
    liquidationFeeRate: order.source === SOURCE_LIQUIDATION ? printRate(contract.taker) : null,
    lockAssetId: contract.coin,
    locked: printMoney(order.locked),
    marginMode: order.marginMode,
    mtime: order.changedAt,
    orderTime: order.createdAt,
    positionId: positionId(order.positionSeq),
    positionMode: order.positionMode,
    postOnly: order.postOnly ? 1 : 0,
    price: priceOf(order),
    profit: printMoney(order.profit),
    quantity: printLots(contract, remainingLots(order)),
    reduceOnly: order.reduceOnly ? 1 : 0,
    releasedLock: printMoney(order.locked - order.remainingLocked),
    reverseOrder: order.reverse ? 1 : 0,
    side: order.side === 1 ? 'BUY' : 'SELL',
    slPrice: tpSl.slPrice,
    slType: tpSl.slPriceType === null ? null : String(tpSl.slPriceType),
    source: order.source,
    status: status === 'OPEN' ? 'NEW' : status,
    symbolId: contract.symbolId,
    timeInForce: order.timeInForce,
    totalAmount: product(order, order.totalLots),
    totalQuantity: printLots(contract, order.totalLots),
    tpPrice: tpSl.tpPrice,
    tpType: tpSl.tpPriceType === null ? null : String(tpSl.tpPriceType),
    tradeAmount: printProduct(contract, order.filledProduct),
    tradeQuantity: printLots(contract, order.filledLots),
    type: order.type,
    uid: world.account.uid,
  };
}

/** `offset` (the API gives no meaning): 0 = the fill only opened, 1 = it closed something. */
export function tradeRecord(trade: Trade) {
  const { contract, lots, ticks, value } = trade;
  const linear = contract.contractSide === 'FORWARD';
  return {
    executedQty: linear ? printLots(contract, lots) : printMoney(value),
    executedQuoteQty: linear ? printMoney(value) : printLots(contract, lots),
    fee: printMoney(trade.fee),
    feeAsset: contract.coin,
    liquidity: trade.taker ? 'TAKER' : 'MAKER',
    offset: trade.closes ? 1 : 0,
    orderId: orderId(trade.orderSeq),
    price: printPrice(contract, ticks),
    side: trade.side === 1 ? 'BUY' : 'SELL',
    symbol: contract.symbolId,
    tradeId: tradeId(trade.seq),
    tradeTime: trade.time,
  };
}
