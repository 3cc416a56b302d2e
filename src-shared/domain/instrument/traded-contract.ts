/**
 * Finds the contract of a trade. The exchange API gives a contract's id the shape `<BASE>-<QUOTE>-M` and does not say how
 * trades name it.
 */

/** Returns what spellings of one contract have in common: `BTC-USDT-M`, `BTC_USDT` and `btcusdt` are BTCUSDT. */
export const bareName = (symbol: string): string =>
  symbol
    .replace(/-M$/, '')
    .replace(/[-_/:\s]/g, '')
    .toUpperCase();

/**
 * Returns a symbol and those of the same name that spell the same contract: all where exactly one is a contract's id, which
 * ends in `-M`.
 */
export function spellingsOf(symbol: string, sameName: readonly string[]): readonly string[] {
  const all = [...new Set([symbol, ...sameName])];
  return all.filter((one) => one.endsWith('-M')).length === 1 ? all : [symbol];
}

/** Returns the contract of a trade's symbol; undefined where none or several fit. */
export type ContractOf<C> = (symbol: string) => C | undefined;

/** Finds the contract with this id as its `symbol`, else the only one of the same name. */
export function contractFinder<C extends { readonly symbol: string }>(contracts: Iterable<C>): ContractOf<C> {
  const found = new Map<string, C | undefined>();
  const byName = new Map<string, C | undefined>();
  for (const contract of contracts) {
    const name = bareName(contract.symbol);
    if (!found.has(contract.symbol)) byName.set(name, byName.has(name) ? undefined : contract);
    found.set(contract.symbol, contract);
  }
  return (symbol) => {
    // A million trades have a few symbols.
    if (!found.has(symbol)) found.set(symbol, byName.get(bareName(symbol)));
    return found.get(symbol);
  };
}
