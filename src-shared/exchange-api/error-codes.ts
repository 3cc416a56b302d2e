/**
 * The 52 trading codes of Place Order and Batch Place Orders, and 500 of the read endpoints: the documented meaning,
 * the ticket field concerned, whether a rejection is final, and what to do.
 */

/** Where a rejection is shown: a field of the request, or the order, account or leverage as a whole. */
export type ConcernedField =
  | 'symbolId'
  | 'quantity'
  | 'price'
  | 'tpSl'
  | 'tpPrice'
  | 'tpExecutePrice'
  | 'slPrice'
  | 'slExecutePrice'
  | 'leverage'
  | 'account'
  | 'order';

export interface TradingCode {
  readonly meaning: string;
  readonly concerns: ConcernedField;
  /**
   * `rejected`: a readable rejection with this code means nothing was placed. `unknown`: it does not (docs/product.md,
   * "Outcome of a send"), such as an internal error or a time-out.
   */
  readonly confirms: 'rejected' | 'unknown';
  readonly next: string;
}

export const TRADING_CODES: Readonly<Record<string, TradingCode>> = {
  '700000': {
    meaning: 'Internal system error',
    concerns: 'order',
    confirms: 'unknown',
    next: 'The exchange had an internal error and may have placed the order. Do not send it again; Ballast is searching for it.',
  },
  '700001': {
    meaning: 'Position missing',
    concerns: 'symbolId',
    confirms: 'rejected',
    next: 'The position is already closed or was never open. Check Positions.',
  },
  '700004': {
    meaning: 'Request parameters invalid',
    concerns: 'order',
    confirms: 'rejected',
    next: 'The exchange does not accept one of the fields. Compare the exact request with its rules.',
  },
  '700008': {
    meaning: 'Request timed out',
    concerns: 'order',
    confirms: 'unknown',
    next: 'The exchange timed out; the order may still be placed. Do not send it again; Ballast is searching for it.',
  },
  '700009': {
    meaning: 'A parameter is invalid',
    concerns: 'order',
    confirms: 'rejected',
    next: 'The exchange does not accept one of the fields. Compare the exact request with its rules.',
  },
  '700011': {
    meaning: 'Price invalid',
    concerns: 'price',
    confirms: 'rejected',
    next: 'Check the decimals and the range of the price.',
  },
  '700012': {
    meaning: 'Order quantity invalid',
    concerns: 'quantity',
    confirms: 'rejected',
    next: 'Check the decimals and the range of the quantity.',
  },
  '700013': {
    meaning: 'Margin adjustment above the permitted maximum',
    concerns: 'account',
    confirms: 'rejected',
    next: 'The order would change the position’s margin by more than the exchange allows. Lower the quantity, or adjust the margin on the exchange’s website.',
  },
  '700016': {
    meaning: 'Position size in this direction is above the open limit; risk limit must be adjusted',
    concerns: 'quantity',
    confirms: 'rejected',
    next: 'Lower the quantity. The exchange API cannot change the risk limit.',
  },
  '700017': {
    meaning: 'Balance insufficient',
    concerns: 'quantity',
    confirms: 'rejected',
    next: 'Lower the quantity or free some margin.',
  },
  '700018': {
    meaning: 'Too few pending orders',
    concerns: 'order',
    confirms: 'rejected',
    next: 'The exchange counts too few resting orders for this request; the exchange API does not say which. Compare Open orders with the request.',
  },
  '700019': {
    meaning: 'Leverage multiple invalid',
    concerns: 'leverage',
    confirms: 'rejected',
    next: 'Check the leverage against the tier’s maximum. The exchange API cannot change it.',
  },
  '700022': {
    meaning: 'Closable quantity insufficient',
    concerns: 'quantity',
    confirms: 'rejected',
    next: 'Resting reduce-only orders may hold part or all of the position. Wait for them, or cancel them from Open orders, then close again.',
  },
  '700040': {
    meaning: 'Trigger price so near the current price that it would fire at once',
    concerns: 'tpSl',
    confirms: 'rejected',
    next: 'Move the trigger further from the current price.',
  },
  '700041': {
    meaning: 'Contract not open to trading',
    concerns: 'symbolId',
    confirms: 'rejected',
    next: 'Choose another contract or wait until it opens.',
  },
  '700042': {
    meaning: 'Neither take-profit nor stop-loss chosen',
    concerns: 'tpSl',
    confirms: 'rejected',
    next: 'Choose a take profit or a stop loss, or turn TP/SL off.',
  },
  '700043': {
    meaning: 'Take-profit trigger above average open price',
    concerns: 'tpPrice',
    confirms: 'rejected',
    next: 'For a short, move the take profit below the average open price.',
  },
  '700044': {
    meaning: 'Take-profit trigger below average open price',
    concerns: 'tpPrice',
    confirms: 'rejected',
    next: 'For a long, move the take profit above the average open price.',
  },
  '700045': {
    meaning: 'Stop-loss trigger below average open price',
    concerns: 'slPrice',
    confirms: 'rejected',
    next: 'For a short, move the stop loss above the average open price.',
  },
  '700046': {
    meaning: 'Stop-loss trigger above average open price',
    concerns: 'slPrice',
    confirms: 'rejected',
    next: 'For a long, move the stop loss below the average open price.',
  },
  '700047': {
    meaning: 'Trigger so near the open price that it would fire at once',
    concerns: 'tpSl',
    confirms: 'rejected',
    next: 'Move the trigger further from the open price.',
  },
  '700048': {
    meaning: 'Order status error',
    concerns: 'order',
    confirms: 'unknown',
    next: 'The order may exist in a status the exchange did not expect. Do not send it again; Ballast is searching for it.',
  },
  '700052': {
    meaning: 'Maximum number of orders exceeded',
    concerns: 'order',
    confirms: 'rejected',
    next: 'Wait for resting orders to fill, or cancel some from Open orders.',
  },
  '700057': {
    meaning: 'Stop-loss trigger below estimated liquidation price',
    concerns: 'slPrice',
    confirms: 'rejected',
    next: 'For a long, move the stop loss above the liquidation price.',
  },
  '700058': {
    meaning: 'Stop-loss trigger above estimated liquidation price',
    concerns: 'slPrice',
    confirms: 'rejected',
    next: 'For a short, move the stop loss below the liquidation price.',
  },
  '700060': {
    meaning: 'Quantity below the minimum order quantity',
    concerns: 'quantity',
    confirms: 'rejected',
    next: 'Raise the quantity.',
  },
  '700061': {
    meaning: 'User barred from trading',
    concerns: 'account',
    confirms: 'rejected',
    next: 'The exchange has barred this account from trading. Contact the exchange.',
  },
  '700062': {
    meaning: 'User barred from opening positions',
    concerns: 'account',
    confirms: 'rejected',
    next: 'Only reduce-only orders are accepted. Contact the exchange.',
  },
  '700068': {
    meaning: 'Take-profit price must be above the order price',
    concerns: 'tpPrice',
    confirms: 'rejected',
    next: 'Raise the take profit above the order price.',
  },
  '700069': {
    meaning: 'Take-profit price must be above the current price',
    concerns: 'tpPrice',
    confirms: 'rejected',
    next: 'Raise the take profit above the current price.',
  },
  '700070': {
    meaning: 'Stop-loss price must be below the order price',
    concerns: 'slPrice',
    confirms: 'rejected',
    next: 'Lower the stop loss below the order price.',
  },
  '700071': {
    meaning: 'Stop-loss price must be below the current price',
    concerns: 'slPrice',
    confirms: 'rejected',
    next: 'Lower the stop loss below the current price.',
  },
  '700072': {
    meaning: 'Take-profit price must be below the order price',
    concerns: 'tpPrice',
    confirms: 'rejected',
    next: 'Lower the take profit below the order price.',
  },
  '700073': {
    meaning: 'Take-profit price must be below the current price',
    concerns: 'tpPrice',
    confirms: 'rejected',
    next: 'Lower the take profit below the current price.',
  },
  '700074': {
    meaning: 'Stop-loss price must be above the order price',
    concerns: 'slPrice',
    confirms: 'rejected',
    next: 'Raise the stop loss above the order price.',
  },
  '700075': {
    meaning: 'Stop-loss price must be above the current price',
    concerns: 'slPrice',
    confirms: 'rejected',
    next: 'Raise the stop loss above the current price.',
  },
  '700076': {
    meaning: 'Take-profit price must be above the mark price',
    concerns: 'tpPrice',
    confirms: 'rejected',
    next: 'Raise the take profit above the mark price.',
  },
  '700077': {
    meaning: 'Take-profit price must be below the mark price',
    concerns: 'tpPrice',
    confirms: 'rejected',
    next: 'Lower the take profit below the mark price.',
  },
  '700078': {
    meaning: 'Stop-loss price must be above the mark price',
    concerns: 'slPrice',
    confirms: 'rejected',
    next: 'Raise the stop loss above the mark price.',
  },
  '700079': {
    meaning: 'Stop-loss price must be below the mark price',
    concerns: 'slPrice',
    confirms: 'rejected',
    next: 'Lower the stop loss below the mark price.',
  },
  '700080': {
    meaning: 'Stop-loss price must be below the liquidation price',
    concerns: 'slPrice',
    confirms: 'rejected',
    next: 'Lower the stop loss below the liquidation price.',
  },
  '700081': {
    meaning: 'Stop-loss price must be above the liquidation price',
    concerns: 'slPrice',
    confirms: 'rejected',
    next: 'Raise the stop loss above the liquidation price.',
  },
  '700082': {
    meaning: 'Quantity above the maximum order quantity',
    concerns: 'quantity',
    confirms: 'rejected',
    next: 'Lower the quantity or split the order.',
  },
  '700089': {
    meaning: 'Take-profit order price must be above the open price',
    concerns: 'tpExecutePrice',
    confirms: 'rejected',
    next: 'Raise the take profit’s order price above the open price.',
  },
  '700091': {
    meaning: 'Take-profit order price must be below the open price',
    concerns: 'tpExecutePrice',
    confirms: 'rejected',
    next: 'Lower the take profit’s order price below the open price.',
  },
  '700093': {
    meaning: 'Stop-loss order price must be below the open price',
    concerns: 'slExecutePrice',
    confirms: 'rejected',
    next: 'Lower the stop loss’s order price below the open price.',
  },
  '700095': {
    meaning: 'Stop-loss order price must be above the open price',
    concerns: 'slExecutePrice',
    confirms: 'rejected',
    next: 'Raise the stop loss’s order price above the open price.',
  },
  '700096': {
    meaning: 'Take-profit order price must be above the latest price',
    concerns: 'tpExecutePrice',
    confirms: 'rejected',
    next: 'Raise the take profit’s order price above the latest price.',
  },
  '700097': {
    meaning: 'Take-profit order price must be below the latest price',
    concerns: 'tpExecutePrice',
    confirms: 'rejected',
    next: 'Lower the take profit’s order price below the latest price.',
  },
  '700098': {
    meaning: 'Stop-loss order price must be below the latest price',
    concerns: 'slExecutePrice',
    confirms: 'rejected',
    next: 'Lower the stop loss’s order price below the latest price.',
  },
  '700099': {
    meaning: 'Stop-loss order price must be above the latest price',
    concerns: 'slExecutePrice',
    confirms: 'rejected',
    next: 'Raise the stop loss’s order price above the latest price.',
  },
  '700106': {
    meaning: 'Order failed; retry later or contact support',
    concerns: 'order',
    confirms: 'unknown',
    next: 'The order may have been placed. Do not send it again until Ballast has found its outcome.',
  },
};

/** The single error code of the read endpoints. */
export const SERVER_ERROR_CODE = '500';
