/** The coins of a contract, read from its id and its kind. */
import type { SymbolConfig } from '../../exchange-api/symbol-config.ts';
import type { ContractSide } from '../margin/margin.ts';

export interface ContractCoins {
  readonly base: string;
  readonly quote: string;
  /** Coin of margin, profit and fees: quote of a linear contract, base of an inverse one. */
  readonly margin: string;
  /** Unit of a quantity: base coin of a linear contract, quote units of an inverse one. */
  readonly quantity: string;
}

/** Linear or inverse; null for a contract side this version does not know, which it must not calculate with. */
export function sideOf(config: SymbolConfig): ContractSide | null {
  return config.contractSide === 'FORWARD' || config.contractSide === 'REVERSE' ? config.contractSide : null;
}

/** `BTC-USDT-M` → BTC, USDT; a delivery contract's date belongs to its name, not its coin (`BTC1225-USDT-M`). */
export function coinsOf(config: SymbolConfig): ContractCoins {
  const [head = config.symbolId, quote = ''] = config.symbolId.split('-');
  const bare = config.contractType === 'DELIVERY' ? head.replace(/\d{4,8}$/, '') : head;
  const base = bare === '' ? head : bare;
  const linear = config.contractSide !== 'REVERSE';
  return { base, quote, margin: linear ? quote : base, quantity: linear ? base : quote };
}

/** Kept by the list itself, which is never changed in place: 200 positions would each search hundreds of contracts. */
const indexed = new WeakMap<readonly SymbolConfig[], ReadonlyMap<string, SymbolConfig>>();

/** Contracts by their id; none while the configuration was not received. */
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
