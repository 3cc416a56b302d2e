/** An account to matchOrders orders against: API records with only a test's changes. */
import type { AccountInfo, Asset, Position } from '../../src-shared/exchange-api/account.ts';
import type { HistoryOrder } from '../../src-shared/exchange-api/order-history.ts';
import type { OrderRequest } from '../../src-shared/exchange-api/order-request.ts';
import type { OpenOrder } from '../../src-shared/exchange-api/open-order.ts';
import type { SymbolConfig, RiskTier } from '../../src-shared/exchange-api/symbol-config.ts';
import type { ContractSpecs } from '../../src-shared/domain/instrument/specs.ts';
import type { OrderContext } from '../../src-shared/domain/instrument/trading-context.ts';

export const NOW = 1_763_000_000_000;

export const tier = (
  level: number,
  minPositionValue: string,
  maxPositionValue: string,
  maintainMarginRate: string,
  maxLeverage = '100',
): RiskTier => ({ level, minPositionValue, maxPositionValue, maintainMarginRate, maxLeverage });

export const TIERS = [
  tier(1, '0', '250000', '0.005', '100'),
  tier(2, '250000', '1000000', '0.01', '50'),
  tier(3, '1000000', '5000000', '0.015', '33'),
  tier(4, '5000000', '20000000', '0.05', '10'),
];

/** A plain limit order. */
export const LIMIT: OrderRequest = {
  symbolId: 'BTC-USDT-M',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.850',
  price: '97250.0',
};

export const LINEAR: SymbolConfig = {
  symbolId: 'BTC-USDT-M',
  contractSide: 'FORWARD',
  contractType: 'PERPETUAL',
  defaultLeverage: 20,
  defaultMarginMode: 'CROSSED',
  riskLimitConfigs: TIERS,
};
export const INVERSE: SymbolConfig = {
  ...LINEAR,
  symbolId: 'BTC-USD-M',
  contractSide: 'REVERSE',
  riskLimitConfigs: [tier(1, '0', '10', '0.005', '100'), tier(2, '10', '100', '0.01', '50')],
};

export const SPECS: ContractSpecs = {
  priceDecimals: 1,
  quantityDecimals: 3,
  multiplier: '1',
  feeRateMaker: '0.0002',
  feeRateTaker: '0.0005',
};

export function position(changes: Partial<Position> = {}): Position {
  return {
    symbolId: 'BTC-USDT-M',
    side: 'BUY',
    quantity: '2.000',
    avgEntryPrice: '95000.0',
    markPrice: '97000.0',
    lastPrice: '97001.0',
    liquidPrice: '60000.0',
    leverage: 20,
    marginMode: 'CROSSED',
    positionMode: 'ONEWAY',
    margin: '9500.00',
    maintainMargin: '970.00',
    marginRate: '0.01',
    entryValue: '190000.00',
    profitUnreal: '4000.00',
    profitUnrealRate: '0.42',
    realizedPnl: '0',
    pnl: '0',
    fundAmount: '0',
    feeAmount: '95.00',
    feeAssetId: 'USDT',
    frozenFee: '0',
    closedFee: '97.00',
    otherClosedFee: '0',
    otherMaintainMargin: '0',
    bkrFee: null,
    deductFeeAmount: '0',
    deductFundingAmount: '0',
    deductLossAmount: '0',
    tpSl: null,
    tpSlOrders: [],
    tpSlSize: 0,
    posTpSlSize: 0,
    positionId: '734829105562840117',
    uid: '50391827',
    ctime: NOW - 1000,
    lastUpdateTime: NOW - 1000,
    ...changes,
  };
}

/** What assets and the account's totals have in common. */
const NOTHING = {
  balance: '0',
  available: '0',
  profitUnreal: '0',
  crossProfitUnreal: '0',
  canTransfer: '0',
  crossMargin: '0',
  isolatedMargin: '0',
  crossLocked: '0',
  isolatedLocked: '0',
  crossedMaintainMargin: '0',
  crossedMaintainMarginRate: '0',
  trialFundBalance: '0',
  totalTrialFundBalance: '0',
};

export const EMPTY_ASSET: Asset = { coin: 'USDT', equities: '0', locked: '0', ...NOTHING };

export function asset(changes: Partial<Asset> = {}): Asset {
  return {
    ...EMPTY_ASSET,
    equities: '104000.00',
    balance: '100000.00',
    profitUnreal: '4000.00',
    crossProfitUnreal: '4000.00',
    available: '86500.00',
    canTransfer: '86500.00',
    locked: '9500.00',
    crossMargin: '9500.00',
    crossedMaintainMargin: '1067.00',
    crossedMaintainMarginRate: '0.01025961',
    ...changes,
  };
}

export function account(positions: readonly Position[], assets: readonly Asset[] = [asset()]): AccountInfo {
  return {
    ...NOTHING,
    totalEquities: '0',
    totalLocked: '0',
    assets,
    positions,
  };
}

export function openOrder(changes: Partial<OpenOrder> = {}): OpenOrder {
  return {
    symbolId: 'BTC-USDT-M',
    side: 'SELL',
    type: 'LIMIT',
    timeInForce: 'GTC',
    price: '99000.0',
    totalQuantity: '1.500',
    tradeQuantity: '0',
    quantity: '1.500',
    avgPrice: '0',
    totalAmount: '148500',
    tradeAmount: '0',
    remainingLocked: '0',
    reduceOnly: true,
    postOnly: 0,
    status: 'OPEN',
    leverage: 20,
    marginMode: 'CROSSED',
    positionMode: 'ONEWAY',
    feeAmount: '0',
    feeAssetId: 'USDT',
    profit: '0',
    profitRate: '0',
    tpSl: null,
    conditionOrderId: '',
    orderId: '734829105569911040',
    uid: '50391827',
    ctime: NOW - 1000,
    mtime: NOW - 1000,
    ...changes,
  };
}

/** A flat account with 100,000 USDT minus its one position's margin, mark 97,000, everything allowed. */
export function context(changes: Partial<OrderContext> = {}): OrderContext {
  return {
    contracts: [LINEAR, INVERSE],
    account: account([position()]),
    openOrders: [],
    specs: () => SPECS,
    references: [
      { price: '97000.0', source: 'mark', at: NOW - 800 },
      { price: '97001.0', source: 'last', at: NOW - 800 },
    ],
    limits: {
      priceDeviationPercent: null,
      notional: null,
      equitySharePercent: null,
      referenceAgeSeconds: 60,
    },
    convention: 'flat',
    closingFee: true,
    marginUnit: '1',
    day: null,
    unreadable: [],
    kind: 'live',
    reverseQuantity: 'unset',
    triggerTypes: ['LAST_PRICE', 'MARK_PRICE', 'INDEX_PRICE'],
    now: NOW,
    ...changes,
  };
}

/** No position, and only the given reference price. */
export const flat = (changes: Partial<OrderContext> = {}): OrderContext =>
  context({
    account: account(
      [],
      [asset({ locked: '0', crossMargin: '0', crossProfitUnreal: '0', profitUnreal: '0' })],
    ),
    ...changes,
  });

/** A market order that filled completely. */
export function pastOrder(changes: Partial<HistoryOrder> = {}): HistoryOrder {
  return {
    orderTime: NOW,
    mtime: NOW,
    symbolId: 'BTC-USDT-M',
    side: 'BUY',
    type: 'MARKET',
    timeInForce: 'IOC',
    price: '0',
    avgPrice: '95000.0',
    totalQuantity: '2.000',
    tradeQuantity: '2.000',
    quantity: '0',
    cancelQuantity: '0',
    totalAmount: '190000',
    tradeAmount: '190000',
    amount: '0',
    cancelAmount: '0',
    status: 'FILLED',
    cancelReason: 0,
    source: 0,
    profit: '0',
    feeAmount: '95',
    feeAssetId: 'USDT',
    feeRateMaker: '0.0002',
    feeRateTaker: '0.0005',
    liquidationFeeRate: null,
    leverage: 20,
    marginMode: 'CROSSED',
    positionMode: 'ONEWAY',
    locked: '0',
    releasedLock: '0',
    lockAssetId: 'USDT',
    reduceOnly: 0,
    postOnly: 0,
    reverseOrder: 0,
    tpPrice: null,
    tpType: null,
    slPrice: null,
    slType: null,
    conditionOrderId: '',
    positionId: '0',
    id: '1',
    uid: '1',
    ...changes,
  };
}
