/**
 * Balances of all owners, in atoms per coin. Money only moves between owners, so the total equals deposits and
 * grants. The exchange account takes fees, funding's rounding and liquidated positions, and may go negative.
 */
export const ACCOUNT = 0;
export const MAKERS = 1;
export const NOISE = 2;
export const EXCHANGE = 3;
export type Owner = typeof ACCOUNT | typeof MAKERS | typeof NOISE | typeof EXCHANGE;
export const BOTS = [MAKERS, NOISE, EXCHANGE] as const;
export type Bot = (typeof BOTS)[number];

interface CoinLedger {
  readonly balances: [bigint, bigint, bigint, bigint];
  /** Deposits and grants of all owners minus withdrawals. */
  paidIn: bigint;
}

/** Coin, balances by owner, paid in; in the order of the first deposits. */
export type SavedLedger = readonly (readonly [string, readonly [bigint, bigint, bigint, bigint], bigint])[];

export class Ledger {
  private readonly coins = new Map<string, CoinLedger>();

  private of(coin: string): CoinLedger {
    let ledger = this.coins.get(coin);
    if (!ledger) {
      ledger = { balances: [0n, 0n, 0n, 0n], paidIn: 0n };
      this.coins.set(coin, ledger);
    }
    return ledger;
  }

  coinNames(): string[] {
    return [...this.coins.keys()];
  }

  balance(owner: Owner, coin: string): bigint {
    return this.of(coin).balances[owner];
  }

  /** Adds money from outside: a deposit or a grant. */
  payIn(owner: Owner, coin: string, atoms: bigint): void {
    const ledger = this.of(coin);
    ledger.balances[owner] += atoms;
    ledger.paidIn += atoms;
  }

  /**
   * Books the PnL of a closed part; its other side is in the entry costs (docs/accounting.md,
   * "Ledger of the practice exchange").
   */
  book(owner: Owner, coin: string, atoms: bigint): void {
    this.of(coin).balances[owner] += atoms;
  }

  /** Moves money from one owner to another: fees, funding. */
  move(from: Owner, to: Owner, coin: string, atoms: bigint): void {
    const { balances } = this.of(coin);
    balances[from] -= atoms;
    balances[to] += atoms;
  }

  save(): SavedLedger {
    return [...this.coins].map(([coin, { balances, paidIn }]) => [coin, [...balances], paidIn]);
  }

  restore(saved: SavedLedger): void {
    this.coins.clear();
    for (const [coin, balances, paidIn] of saved) this.coins.set(coin, { balances: [...balances], paidIn });
  }

  total(coin: string): bigint {
    return this.of(coin).balances.reduce((sum, atoms) => sum + atoms, 0n);
  }

  paidIn(coin: string): bigint {
    return this.of(coin).paidIn;
  }
}
