import { positionKey } from '../../../src-shared/domain/position/identity.ts';
import { folded } from '../../../src-shared/folded.ts';
import { positionTotals, type PositionTotals } from '../../../src-shared/domain/position/totals.ts';
import {
  effectiveLeverage,
  liquidationDistance,
  multiplierIn,
  positionTier,
  quoteValue,
  type PositionTier,
} from '../../../src-shared/domain/position/metrics.ts';
import {
  coinsBy,
  type ContractCoins,
  coinsOf,
  sideOf,
} from '../../../src-shared/domain/instrument/currencies.ts';
import { marginModeLabel } from '../../../src-shared/exchange-api/enums.ts';
import type { Position } from '../../../src-shared/exchange-api/account.ts';
import type { SymbolConfig } from '../../../src-shared/exchange-api/symbol-config.ts';
import { keyed, type Keyed } from '../../components/table/row-keys.ts';
import type { SpecsStore } from '../../state/account/contract-specs.svelte.ts';
import type { Feeds } from '../../state/account/feeds.svelte.ts';

/**
 * A position with derived figures, computed on first use: only visible rows need their tier.
 */
export class PositionRow {
  readonly key: string;
  readonly position: Position;
  readonly config: SymbolConfig | undefined;
  /** The user's multiplier of the contract. */
  readonly multiplier: string | null;
  /** Null for a contract that is not in the configuration. */
  readonly #coins: ContractCoins | null;
  #distance: string | null | undefined;
  #value: string | null | undefined;
  #tier: PositionTier | null | undefined;

  constructor(
    { key, record }: Keyed<Position>,
    config: SymbolConfig | undefined,
    multiplier: string | null,
    known?: PositionRow,
  ) {
    this.key = key;
    this.position = record;
    this.config = config;
    this.multiplier = multiplier;
    this.#coins = known?.config === config && known !== undefined ? known.#coins : coinsOrNull(config);
  }
  /** Coin of margin and profit. */
  get coin(): string | null {
    return this.#coins?.margin ?? null;
  }
  /** Unit of the quantity. */
  get unit(): string | null {
    const { config, multiplier } = this;
    const side = config && sideOf(config);
    if (!side) return this.#coins?.quantity ?? null;
    return coinsBy(config, multiplierIn(this.position, side, multiplier)).quantity;
  }
  /** Coin of the value. */
  get quote(): string | null {
    return this.#coins?.quote ?? null;
  }
  /** Value at the mark, in the quote coin. */
  get value(): string | null {
    if (this.#value === undefined) this.#value = quoteValue(this.position, this.config, this.multiplier);
    return this.#value;
  }
  get distance(): string | null {
    if (this.#distance === undefined) this.#distance = liquidationDistance(this.position);
    return this.#distance;
  }
  get tier(): PositionTier | null {
    if (this.#tier === undefined) this.#tier = positionTier(this.position, this.config, this.multiplier);
    return this.#tier;
  }
  get leverageNow(): string | null {
    return effectiveLeverage(this.position, this.tier);
  }
}

const coinsOrNull = (config: SymbolConfig | undefined): ContractCoins | null =>
  config === undefined ? null : coinsOf(config);

export const FILTERS = ['all', 'long', 'short', 'cross', 'isolated'] as const;
export type Filter = (typeof FILTERS)[number];

const PASSES: Readonly<Record<Filter, (position: Position) => boolean>> = {
  all: () => true,
  long: (one) => one.side === 'BUY',
  short: (one) => one.side === 'SELL',
  cross: (one) => marginModeLabel(one.marginMode) === 'Cross',
  isolated: (one) => marginModeLabel(one.marginMode) === 'Isolated',
};

/** The list of positions with its filter and totals. */
export class Positions {
  filter = $state<Filter>('all');
  /** Part of a contract's name. */
  text = $state('');
  readonly #feeds: Feeds;
  readonly #specs: Pick<SpecsStore, 'multiplier'>;

  constructor({ feeds, specs }: { readonly feeds: Feeds; readonly specs: Pick<SpecsStore, 'multiplier'> }) {
    this.#feeds = feeds;
    this.#specs = specs;
  }

  #known: ReadonlyMap<string, PositionRow> = new Map();
  /**
   * A row object is kept as long as its position, its contract and the user's multiplier stay the same, so that nothing is
   * calculated or drawn again for it.
   */
  readonly rows: readonly PositionRow[] = $derived.by(() => {
    const rows = keyed(this.#feeds.positions, positionKey).map((one) => {
      const { key, record } = one;
      const config = this.#feeds.contractBySymbol.get(record.symbolId);
      const multiplier = this.#specs.multiplier(record.symbolId) ?? null;
      const known = this.#known.get(key);
      const isSame = known?.position === record && known.config === config && known.multiplier === multiplier;
      return isSame ? known : new PositionRow(one, config, multiplier, known);
    });
    this.#known = new Map(rows.map((row) => [row.key, row]));
    return rows;
  });
  readonly shown: readonly PositionRow[] = $derived.by(() => {
    const part = folded(this.text.trim());
    return this.rows.filter(
      ({ position }) => PASSES[this.filter](position) && folded(position.symbolId).includes(part),
    );
  });
  readonly filtered: boolean = $derived(this.filter !== 'all' || this.text.trim() !== '');
  /** Totals of the rows shown, so that none counts a hidden position. */
  readonly totals: readonly PositionTotals[] = $derived.by(() => {
    const rows = new Map(this.shown.map((row) => [row.position, row]));
    return positionTotals(
      [...rows.keys()],
      (position) => rows.get(position)?.coin ?? null,
      (position) => {
        const { value = null, quote = null } = rows.get(position) ?? {};
        return value === null || quote === null ? null : { value, coin: quote };
      },
    );
  });

  /** How many rows no total counts, because the coin of a contract outside the configuration is not known. */
  readonly unitless: number = $derived(this.shown.filter((row) => row.coin === null).length);

  count(filter: Filter): number {
    return this.#feeds.positions.filter(PASSES[filter]).length;
  }
  clear(): void {
    this.filter = 'all';
    this.text = '';
  }
}
