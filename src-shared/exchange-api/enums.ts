/**
 * Values the interface names. Complete lists are not shown there, so every enum is open: an unknown value is
 * kept as its text, shown as it is and listed as schema drift.
 */
export const ORDER_SIDE = { BUY: 'Buy', SELL: 'Sell' } as const;
export const POSITION_SIDE = { BUY: 'Long', SELL: 'Short' } as const;
export const ORDER_TYPE = { LIMIT: 'Limit', MARKET: 'Market' } as const;
export const TIME_IN_FORCE = {
  GTC: 'Good till cancelled',
  IOC: 'Immediate or cancel',
  FOK: 'Fill or kill',
} as const;
/** `NONE` means no take-profit or stop-loss. Names of real triggers come from the connection. */
export const TRIGGER_TYPE = { NONE: 'None' } as const;
export const LIQUIDITY = { TAKER: 'Taker' } as const;
export const MARGIN_MODE = { CROSSED: 'Cross', ISOLATED: 'Isolated' } as const;
/** The configuration writes isolated as ISOLATION (docs/accounting.md). */
export const DEFAULT_MARGIN_MODE = { CROSSED: 'Cross', ISOLATION: 'Isolated' } as const;
export const POSITION_MODE = { HEDGE: 'Hedge', ONEWAY: 'One-way' } as const;
export const CONTRACT_SIDE = { FORWARD: 'Linear', REVERSE: 'Inverse' } as const;
export const CONTRACT_TYPE = { PERPETUAL: 'Perpetual', DELIVERY: 'Delivery' } as const;
export const OPEN_ORDER_STATUS = { OPEN: 'Open', FILLED: 'Filled', CANCELED: 'Cancelled' } as const;
export const HISTORY_STATUS = { NEW: 'New', FILLED: 'Filled', CANCELED: 'Cancelled' } as const;
export const CANCEL_REASON = { '1': 'By the user', '2': 'By the system' } as const;
export const ORDER_SOURCE = { '0': 'User', '2': 'System liquidation', '10': 'Reverse order' } as const;
export const PRICE_TYPE = { '1': 'Limit', '2': 'Market' } as const;

export type OrderSide = keyof typeof ORDER_SIDE;
export type OrderType = keyof typeof ORDER_TYPE;
export type TimeInForce = keyof typeof TIME_IN_FORCE;

/** A 0/1 or boolean flag of a record as a boolean. */
export const isOn = (value: boolean | number): boolean => value === true || value === 1;

/**
 * The word shown for a value, or the value itself. Server text chooses the name, so only the table's own names count:
 * `__proto__` and `constructor` are in every object.
 */
export const wordOf = (words: Readonly<Record<string, string>>, value: string): string =>
  (Object.hasOwn(words, value) ? words[value] : undefined) ?? value;

/** CROSSED, ISOLATED or ISOLATION as the word shown; an unknown text as it is. */
export function marginModeWord(value: string): string {
  if (value === 'ISOLATION') return MARGIN_MODE.ISOLATED;
  return wordOf(MARGIN_MODE, value);
}
