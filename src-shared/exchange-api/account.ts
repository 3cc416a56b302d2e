/** Account info: data of GET /ftapi/v1/account/info. Definitions: docs/accounting.md. */
import * as f from './fields.ts';
import { MARGIN_MODE, POSITION_MODE, POSITION_SIDE } from './enums.ts';

/** The 15 totals. The exchange API does not document their unit. */
export const accountTotals = {
  totalEquities: f.decimal('Total equity'),
  balance: f.decimal('Balance'),
  available: f.decimal('Available', 'Balance − locked − unrealised PnL of cross positions'),
  profitUnreal: f.decimal('Unrealised PnL'),
  crossProfitUnreal: f.decimal('Cross unrealised PnL'),
  canTransfer: f.decimal('Transferable to spot'),
  totalLocked: f.decimal('Locked'),
  crossMargin: f.decimal('Cross margin'),
  isolatedMargin: f.decimal('Isolated margin'),
  crossLocked: f.decimal('Locked in cross orders'),
  isolatedLocked: f.decimal('Locked in isolated orders'),
  crossedMaintainMargin: f.decimal('Cross maintenance margin', 'Minimum margin that prevents liquidation'),
  crossedMaintainMarginRate: f.decimal('Cross maintenance margin rate'),
  trialFundBalance: f.decimal('Trial funds left'),
  totalTrialFundBalance: f.decimal('Trial funds granted'),
};

/** The 16 fields of an asset record. */
export const assetFields = {
  coin: f.required(f.text('Coin')),
  equities: f.decimal('Equity', 'Balance + unrealised PnL'),
  balance: f.decimal('Balance'),
  profitUnreal: f.decimal('Unrealised'),
  crossProfitUnreal: f.decimal('Cross unrealised'),
  available: f.decimal('Available', 'Balance − locked − unrealised PnL of cross positions'),
  canTransfer: f.decimal('Transferable', 'Amount movable from futures to spot'),
  locked: f.decimal('Locked'),
  crossMargin: f.decimal('Cross margin'),
  isolatedMargin: f.decimal('Isolated margin'),
  crossLocked: f.decimal('Locked, cross orders'),
  isolatedLocked: f.decimal('Locked, isolated orders'),
  crossedMaintainMargin: f.decimal('Maintenance margin', 'Minimum margin that prevents liquidation'),
  crossedMaintainMarginRate: f.decimal('Maintenance rate'),
  trialFundBalance: f.decimal('Trial funds left'),
  totalTrialFundBalance: f.decimal('Trial funds granted'),
};

/** The 37 fields of a position record. */
export const positionFields = {
  symbolId: f.required(f.text('Contract')),
  side: f.required(f.choice(POSITION_SIDE, 'Side')),
  quantity: f.decimal('Quantity'),
  avgEntryPrice: f.decimal('Average entry price'),
  markPrice: f.optional(f.decimal('Mark price')),
  lastPrice: f.optional(f.decimal('Last price', 'May be empty while the position is unchanged')),
  liquidPrice: f.decimal('Liquidation price', '0: liquidation will not trigger'),
  leverage: f.integer('Leverage'),
  marginMode: f.choice(MARGIN_MODE, 'Margin mode'),
  positionMode: f.choice(POSITION_MODE, 'Position mode'),
  margin: f.decimal('Margin'),
  maintainMargin: f.decimal('Maintenance margin'),
  marginRate: f.optional(f.decimal('Margin rate')),
  entryValue: f.decimal('Entry value', 'Notional value'),
  profitUnreal: f.optional(f.decimal('Unrealised PnL')),
  profitUnrealRate: f.optional(f.decimal('Return on margin')),
  realizedPnl: f.decimal('Realised PnL'),
  pnl: f.decimal('Closed PnL'),
  fundAmount: f.decimal('Funding', 'The exchange API does not say which sign a received one has'),
  feeAmount: f.decimal('Fee paid'),
  feeAssetId: f.text('Fee coin'),
  frozenFee: f.decimal('Frozen fee'),
  closedFee: f.optional(f.decimal('Close fee')),
  otherClosedFee: f.optional(f.decimal('Other close fee')),
  otherMaintainMargin: f.optional(f.decimal('Other maintenance margin')),
  bkrFee: f.optional(f.decimal('Bankruptcy fee')),
  deductFeeAmount: f.decimal('Deducted fee'),
  deductFundingAmount: f.decimal('Deducted funding'),
  deductLossAmount: f.decimal('Deducted loss'),
  tpSl: f.optional(f.text('TP/SL', 'Not documented in the exchange API')),
  tpSlOrders: f.list('TP/SL orders', 'Not documented in the exchange API'),
  tpSlSize: f.integer('TP/SL orders, count'),
  posTpSlSize: f.integer('TP/SL orders of the whole position, count'),
  positionId: f.required(f.id('Position ID')),
  uid: f.text('User ID'),
  ctime: f.time('Opened'),
  lastUpdateTime: f.time('Updated'),
};

export type AccountTotals = f.RecordOf<typeof accountTotals>;
export type Asset = f.RecordOf<typeof assetFields>;
export type Position = f.RecordOf<typeof positionFields>;
export type AssetField = keyof typeof assetFields;
export type PositionField = keyof typeof positionFields;
export type AccountInfo = AccountTotals & {
  readonly assets: readonly Asset[];
  readonly positions: readonly Position[];
};
