import { byText } from '../../../src-shared/by-text.ts';
import { folded } from '../../../src-shared/folded.ts';
import type { ContractCoins } from '../../../src-shared/domain/instrument/currencies.ts';
import { positionTier, type PositionTier } from '../../../src-shared/domain/position/metrics.ts';
import type { Reference } from '../../../src-shared/domain/instrument/reference-prices.ts';
import type { AccountByMove, PriceMove } from '../../../src-shared/domain/risk/after-fills.ts';
import {
  largestValue,
  type TierResult,
  tierLines,
} from '../../../src-shared/domain/instrument/tier-table.ts';
import type { Position } from '../../../src-shared/exchange-api/account.ts';
import type { SymbolConfig } from '../../../src-shared/exchange-api/symbol-config.ts';
import type { Navigation } from '../../state/session/navigation.svelte.ts';
import type { TradingContext } from '../../state/order/trading-context.ts';
import type { Ticket } from '../../state/ticket/ticket.svelte.ts';

export interface RiskDeps extends TradingContext {
  readonly navigation: Navigation;
  readonly ticket: Ticket;
}

export interface ListedContract {
  readonly config: SymbolConfig;
  /** None, one, or the two legs of a hedge. */
  readonly positions: readonly Position[];
}

/** A position's place among the tiers. */
export interface TieredPosition {
  readonly position: Position;
  readonly tier: PositionTier;
}

export interface RestingLeg {
  readonly move: PriceMove;
  readonly side: string;
  readonly value: string;
}

/** The contract shown in Risk, its tiers, and the tiers of the position and the ticket's draft. */
export class Risk {
  /** Part of a contract's name. */
  text = $state('');
  side = $state<'all' | 'FORWARD' | 'REVERSE'>('all');
  type = $state<'all' | 'PERPETUAL' | 'DELIVERY'>('all');
  /** Level of the tier pointed at, in the chart or in the table. */
  pointed = $state<number | null>(null);
  readonly #deps: RiskDeps;
  readonly #exposure: () => AccountByMove | null;

  constructor(deps: RiskDeps, exposure: () => AccountByMove | null) {
    this.#deps = deps;
    this.#exposure = exposure;
  }

  readonly contracts: readonly SymbolConfig[] = $derived.by(() =>
    [...(this.#deps.feeds.contracts.value ?? [])].sort(byText((one) => one.symbolId)),
  );
  readonly #matching: readonly ListedContract[] = $derived.by(() => {
    const part = folded(this.text.trim());
    return this.contracts
      .filter(
        (one) =>
          folded(one.symbolId).includes(part) &&
          (this.side === 'all' || one.contractSide === this.side) &&
          (this.type === 'all' || one.contractType === this.type),
      )
      .map((config) => ({
        config,
        positions: this.#deps.feeds.positionsBySymbol.get(config.symbolId) ?? [],
      }));
  });
  readonly held: readonly ListedContract[] = $derived(
    this.#matching.filter(({ positions }) => positions.length > 0),
  );
  readonly others: readonly ListedContract[] = $derived(
    this.#matching.filter(({ positions }) => positions.length === 0),
  );
  readonly filtered: boolean = $derived(
    this.text.trim() !== '' || this.side !== 'all' || this.type !== 'all',
  );

  /** The window's contract, else the first held or listed one of this connection. */
  readonly selected: SymbolConfig | null = $derived.by(() => {
    const chosen = this.contracts.find((one) => one.symbolId === this.#deps.navigation.symbol);
    const held = this.contracts.find((one) => this.#deps.feeds.positionsBySymbol.has(one.symbolId));
    return chosen ?? held ?? this.contracts[0] ?? null;
  });
  readonly coins: ContractCoins | null = $derived.by(() =>
    this.selected === null ? null : this.#deps.specs.coinsOf(this.selected.symbolId),
  );
  readonly reference: Reference | null = $derived.by(() =>
    this.selected === null ? null : (this.#deps.specs.references(this.selected.symbolId)[0] ?? null),
  );

  readonly tieredPositions: readonly TieredPosition[] = $derived.by(() => {
    const config = this.selected;
    if (config === null) return [];
    return (this.#deps.feeds.positionsBySymbol.get(config.symbolId) ?? []).flatMap((position) => {
      const tier = positionTier(position, config, this.#deps.specs.multiplier(config.symbolId));
      return tier === null ? [] : [{ position, tier }];
    });
  });
  /** Value of the leg the ticket's draft would leave; null without a draft of this contract. */
  readonly draft: string | null = $derived.by(() => {
    const { ticket } = this.#deps;
    if (this.selected === null || ticket.symbolId !== this.selected.symbolId) return null;
    return ticket.preview?.ok === true ? (ticket.preview.preview.after?.value ?? null) : null;
  });
  /** The legs that resting orders of the contract would leave when prices fall or rise; empty without any. */
  readonly resting: readonly RestingLeg[] = $derived.by(() => {
    const symbolId = this.selected?.symbolId;
    return (this.#exposure()?.coins ?? [])
      .flatMap(({ worst, other }) => (other === null ? [worst] : [worst, other]))
      .flatMap(({ move, after }) =>
        after.positions.flatMap((one) =>
          one.symbolId === symbolId && one.leg !== null
            ? [{ move, side: one.leg.side, value: one.value }]
            : [],
        ),
      );
  });
  readonly tiers: TierResult | null = $derived.by(() =>
    this.selected === null
      ? null
      : tierLines({
          config: this.selected,
          convention: this.#deps.fit.convention,
          price: this.reference?.price ?? null,
          multiplier: this.#deps.specs.of(this.selected.symbolId).multiplier,
          position: largestValue(this.tieredPositions.map((one) => one.tier.value)),
          draft: this.draft,
        }),
  );

  /** Selects the contract here and in the ticket. */
  choose(symbolId: string): void {
    this.#deps.navigation.symbol = symbolId;
    this.pointed = null;
  }
  clear(): void {
    this.text = '';
    this.side = 'all';
    this.type = 'all';
  }
}
