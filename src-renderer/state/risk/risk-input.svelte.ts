import type { WhatIfInput } from '../../../src-shared/domain/risk/what-if.ts';

const PARTS = ['contracts', 'tiers', 'what-if', 'shock'] as const;
export type RiskPart = (typeof PARTS)[number];
/** Shock mode: all prices alike, one leader with betas, or each underlying by its own percent. */
export type ShockMode = 'all' | 'leads' | 'own';

/** Which orders fill on the way: none, take profit and stop loss of positions, or these and the resting ones. */
export type ShockOrdersFilled = 'none' | 'tp-sl' | 'all';

export interface ShockInput {
  mode: ShockMode;
  /** Whether the others stay unchanged instead of following the leader by beta. */
  othersStill: boolean;
  orders: ShockOrdersFilled;
  /** Null until chosen. */
  leader: string | null;
  coin: string | null;
  /** As typed, percent: the common shock, and how much of the typed moves applies. */
  common: string;
  part: string;
  /** The last valid value of each. */
  read: { readonly common: string; readonly part: string };
  /** By base coin, as typed. */
  betas: ReadonlyMap<string, string>;
  own: ReadonlyMap<string, string>;
}

export type WhatIfStart = 'flat' | 'position' | 'draft';
export interface WhatIfTyped {
  /** Null until chosen. */
  start: WhatIfStart | null;
  /** The contract that `fields` belong to; they override its start values. */
  symbolId: string;
  fields: Partial<WhatIfInput>;
}

const firstShock = (): ShockInput => ({
  mode: 'leads',
  othersStill: false,
  orders: 'none',
  leader: null,
  coin: null,
  common: '-10',
  part: '100',
  read: { common: '-10', part: '100' },
  betas: new Map(),
  own: new Map(),
});
const firstWhatIf = (): WhatIfTyped => ({ start: null, symbolId: '', fields: {} });

interface Input {
  readonly part: RiskPart;
  readonly shock: ShockInput;
  readonly whatIf: WhatIfTyped;
}

/** What the user chose and typed on Risk, kept for each connection while Ballast runs. */
export class RiskInput {
  part = $state<RiskPart>('tiers');
  shock = $state(firstShock());
  whatIf = $state(firstWhatIf());

  #followed: string | null = null;
  readonly #others = new Map<string, Input>();

  /** Opens the part a link names; the tiers, where it names only a contract. */
  open(part: string | undefined): void {
    this.part = PARTS.find((one) => one === part) ?? 'tiers';
  }

  follow(connectionId: string): void {
    const { part, shock, whatIf } = this;
    if (this.#followed !== null) this.#others.set(this.#followed, { part, shock, whatIf });
    this.#followed = connectionId;
    const kept = this.#others.get(connectionId);
    this.part = kept?.part ?? 'tiers';
    this.shock = kept?.shock ?? firstShock();
    this.whatIf = kept?.whatIf ?? firstWhatIf();
  }
}
