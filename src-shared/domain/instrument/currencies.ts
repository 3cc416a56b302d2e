/** Derives a contract's coins from its id and kind. */
import type { SymbolConfig } from '../../exchange-api/symbol-config.ts';
import type { ContractSide } from '../../exchange-api/enums.ts';

export interface CoinAmount {
  readonly coin: string;
  readonly amount: string;
}

export interface ContractCoins {
  readonly base: string;
  readonly quote: string;
  /** Coin of margin, PnL and fees: quote of a linear contract, base of an inverse one. */
  readonly margin: string;
  /** Unit of a quantity: base coin of a linear contract, quote units of an inverse one; `×10 SOL` with a multiplier. */
  readonly quantity: string;
}

/** Returns linear or inverse; null for an unknown contract side, which must not be calculated. */
export function sideOf(config: SymbolConfig): ContractSide | null {
  return config.contractSide === 'FORWARD' || config.contractSide === 'REVERSE' ? config.contractSide : null;
}

/** `<BASE>-<QUOTE>-M`; a base may have a hyphen, as in `BTC-1225-USDT-M`. */
const SHAPE = /^(.+)-([^-]+)-M$/;

/** Cached per record, which is never changed in place: a keystroke in the ticket asks for those of every position. */
const coinsByConfig = new WeakMap<SymbolConfig, ContractCoins>();

/**
 * Returns the coins: `BTC-USDT-M` → BTC, USDT. The date of a delivery contract (`BTC1225-USDT-M`) is not part of the
 * coin.
 */
export function coinsOf(config: SymbolConfig): ContractCoins {
  const known = coinsByConfig.get(config);
  if (known) return known;
  const [head = config.symbolId, quote = ''] =
    SHAPE.exec(config.symbolId)?.slice(1) ?? config.symbolId.split('-');
  const bare = config.contractType === 'DELIVERY' ? head.replace(/-?\d{4,8}$/, '') : head;
  const base = bare === '' ? head : bare;
  const linear = config.contractSide !== 'REVERSE';
  const coins = { base, quote, margin: linear ? quote : base, quantity: linear ? base : quote };
  coinsByConfig.set(config, coins);
  return coins;
}

/** Returns the coins with the unit of an order's or a position's quantity, where one of it is `multiplier` coins. */
export function coinsBy(config: SymbolConfig, multiplier: string | null | undefined): ContractCoins {
  const coins = coinsOf(config);
  if (!multiplier || multiplier === '1') return coins;
  return { ...coins, quantity: `×${multiplier} ${coins.quantity}` };
}

/** Reports whether a unit is a multiple of a coin, as `×10 SOL`. */
export const isMultiple = (unit: string): boolean => unit.startsWith('×');

/** Returns what must be known of a contract before the values of its trades can be summed. */
export function tradedContract(config: SymbolConfig) {
  const { quote, margin, quantity } = coinsOf(config);
  return { symbol: config.symbolId, quote, margin, quantity, inverse: sideOf(config) === 'REVERSE' };
}

/** Cached per list, which is never changed in place; 200 positions would each search hundreds of contracts. */
const indexed = new WeakMap<readonly SymbolConfig[], ReadonlyMap<string, SymbolConfig>>();

/** Returns the contracts by id; empty until the configuration was received. */
export function contractsBySymbol(
  contracts: readonly SymbolConfig[] | null,
): ReadonlyMap<string, SymbolConfig> {
  if (contracts === null) return new Map();
  const known = indexed.get(contracts);
  if (known) return known;
  const map = new Map(contracts.map((one) => [one.symbolId, one]));
  indexed.set(contracts, map);
  return map;
}
