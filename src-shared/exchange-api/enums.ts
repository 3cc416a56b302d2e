/**
 * Documented enum values. The lists are incomplete, so every enum is open: an unknown value is stored and shown as
 * received and listed as schema drift.
 */
export const ORDER_SIDE = { BUY: 'Buy', SELL: 'Sell' } as const;
export const POSITION_SIDE = { BUY: 'Long', SELL: 'Short' } as const;
export const ORDER_TYPE = { LIMIT: 'Limit', MARKET: 'Market' } as const;
export const TIME_IN_FORCE = {
  GTC: 'Good till cancelled',
  IOC: 'Immediate or cancel',
  FOK: 'Fill or kill',
} as const;
/** `NONE` means no take-profit or stop-loss. The connection supplies the names of real triggers. */
export const TRIGGER_TYPE = { NONE: 'None' } as const;
export const LIQUIDITY = { TAKER: 'Taker' } as const;
export const MARGIN_MODE = { CROSSED: 'Cross', ISOLATED: 'Isolated' } as const;
/** The configuration calls isolated ISOLATION (docs/accounting.md). */
export const DEFAULT_MARGIN_MODE = { CROSSED: 'Cross', ISOLATION: 'Isolated' } as const;
export const POSITION_MODE = { HEDGE: 'Hedge', ONEWAY: 'One-way' } as const;
export const CONTRACT_SIDE = { FORWARD: 'Linear', REVERSE: 'Inverse' } as const;
export const CONTRACT_TYPE = { PERPETUAL: 'Perpetual', DELIVERY: 'Delivery' } as const;
export const OPEN_ORDER_STATUS = { OPEN: 'Open', FILLED: 'Filled', CANCELED: 'Cancelled' } as const;
export const HISTORY_STATUS = { NEW: 'New', FILLED: 'Filled', CANCELED: 'Cancelled' } as const;
export const CANCEL_REASON = { '1': 'By the user', '2': 'By the system' } as const;
export const ORDER_SOURCE = { '0': 'User', '2': 'System liquidation', '10': 'Reverse order' } as const;
/** The `ORDER_SOURCE` of the system. */
export const SYSTEM_SOURCE = 2;
export const PRICE_TYPE = { '1': 'Limit', '2': 'Market' } as const;

/** BUY is long, SELL is short. */
export type OrderSide = keyof typeof ORDER_SIDE;
export type ContractSide = keyof typeof CONTRACT_SIDE;
export type MarginMode = keyof typeof MARGIN_MODE;
export type OrderType = keyof typeof ORDER_TYPE;
export type TimeInForce = keyof typeof TIME_IN_FORCE;

export const isLongOrShort = (side: string): side is OrderSide => side === 'BUY' || side === 'SELL';
export const opposite = (side: OrderSide): OrderSide => (side === 'BUY' ? 'SELL' : 'BUY');

/** Converts a 0/1 or boolean flag to a boolean. */
export const isOn = (value: boolean | number): boolean => value === true || value === 1;

/** Reports whether a listed open order still rests: the API's list has filled and cancelled ones, too. */
export const isResting = ({ status }: { readonly status: string }): boolean =>
  status !== 'FILLED' && status !== 'CANCELED';

/**
 * Returns the label of a value, or the value itself. Uses own properties only: server text may be `__proto__` or
 * `constructor`.
 */
export const labelOf = (labels: Readonly<Record<string, string>>, value: string): string =>
  (Object.hasOwn(labels, value) ? labels[value] : undefined) ?? value;

/** Returns `long` or `short`; unknown text as is. */
export const sideWord = (side: string): string => labelOf({ BUY: 'long', SELL: 'short' }, side);

/** Returns the label of CROSSED, ISOLATED or ISOLATION; unknown text as is. */
export function marginModeLabel(value: string): string {
  if (value === 'ISOLATION') return MARGIN_MODE.ISOLATED;
  return labelOf(MARGIN_MODE, value);
}

interface WithMode {
  readonly marginMode: string;
}
/** Neither this nor `isCross` holds for an unknown mode. */
export const isIsolated = ({ marginMode }: WithMode): boolean =>
  marginModeLabel(marginMode) === MARGIN_MODE.ISOLATED;
export const isCross = ({ marginMode }: WithMode): boolean =>
  marginModeLabel(marginMode) === MARGIN_MODE.CROSSED;
