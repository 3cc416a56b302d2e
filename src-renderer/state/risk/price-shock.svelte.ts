import { untrack } from 'svelte';
import * as v from 'valibot';
import {
  absolute,
  amount,
  calculated,
  divide,
  greater,
  isDecimal,
  isPositive,
  isZero,
  less,
  multiply,
  print,
  printFixed,
  round,
  toPixels,
} from '../../../src-shared/amount.ts';
import { betaKey, riskSettingsSchema } from '../../../src-shared/ipc/risk-settings.ts';
import {
  type NotCountedPosition,
  prepareSteps,
  type Shock,
} from '../../../src-shared/domain/risk/price-shock.ts';
import { type HeldCoins, heldCoins } from '../../../src-shared/domain/risk/held-coins.ts';
import { markOf } from '../../../src-shared/domain/position/metrics.ts';
import type { EstimateContext } from '../../../src-shared/domain/position/resolved.ts';
import type { OpenOrder } from '../../../src-shared/exchange-api/open-order.ts';
import type { NotCounted } from '../../../src-shared/domain/risk/after-fills.ts';
import { protectionOf } from '../../../src-shared/domain/position/protection.ts';
import {
  NO_ORDERS,
  type ShockOrder,
  shockOrders,
  type ShockOrders,
} from '../../../src-shared/domain/risk/shock-orders.ts';
import { type Liquidation, shockSteps } from '../../../src-shared/domain/risk/liquidation-sequence.ts';
import {
  type CoinAt,
  coinAt,
  curveSteps,
  fillsAt,
  positionsAt,
  type ShockCurve,
  type ShockedPosition,
  type ShockPaths,
} from '../../../src-shared/domain/risk/shocked.ts';
import type { Steps } from '../../../src-shared/domain/numeric/steps.ts';
import type { Clock } from '../runtime/clock.svelte.ts';
import type { ConventionFit } from '../account/tier-convention.svelte.ts';
import type { Feeds } from '../account/feeds.svelte.ts';
import type { Session } from '../session/session.svelte.ts';
import type { Settings } from '../session/settings.svelte.ts';
import { SlicedCalculation } from '../runtime/time-slicing.svelte.ts';
import type { RiskInput, ShockInput, ShockMode } from './risk-input.svelte.ts';

/** Default betas: percent a coin moves per percent of the leader. Assumed, not measured. */
const BETAS: ReadonlyMap<string, string> = new Map([
  ['BTC', '1'],
  ['ETH', '1.2'],
]);
const OTHER_BETA = '1.5';
/** Default of a coin's own move, percent. */
const OWN_MOVE = '-10';

const RECALCULATED_MS = 5_000;
const POINTS = 41;
const LOWEST = '-95';
const HIGHEST = '200';

/** What a calculation without typed input needs, as for Overview's first liquidation. */
export interface ShockDeps {
  readonly clock: Clock;
  readonly feeds: Feeds;
  readonly fit: ConventionFit;
}
/** Changes when positions change and at intervals, so that not every poll requests the calculation anew. */
export function shockDue({ clock, feeds }: ShockDeps): string {
  const held = feeds.positions.map((one) => `${one.symbolId} ${one.side} ${one.quantity} ${one.margin}`);
  return [Math.floor(clock.now / RECALCULATED_MS), feeds.account.value !== null, ...held].join('\n');
}
export interface AccountShockDeps extends ShockDeps {
  readonly session: Session;
  readonly settings: Settings;
  readonly riskInput: RiskInput;
}

/** Ends of the scale, percent. */
export interface Span {
  readonly min: number;
  readonly max: number;
}
interface Found {
  readonly mode: ShockMode;
  readonly span: Span;
  readonly shock: Shock;
  readonly paths: ShockPaths;
  readonly moves: readonly string[];
  readonly curves: readonly ShockCurve[];
  readonly orders: ShockOrders;
}

/** Returns the moves the curve is calculated at, as shares: evenly spaced, always with 0 among them. */
function movesOf({ min, max }: Span): string[] {
  const steps = (POINTS - 1) * 100;
  const all = Array.from({ length: POINTS }, (_, n) =>
    print(
      round(
        divide(amount(String(min * (POINTS - 1) + n * (max - min))), amount(String(steps))),
        10,
        'half-up',
      ),
    ),
  );
  if (all.includes('0')) return all;
  const after = all.findIndex((one) => isPositive(amount(one)));
  return all.toSpliced(after, 0, '0');
}

function* work(
  context: EstimateContext,
  mode: ShockMode,
  span: Span,
  betaOf: (symbolId: string) => string,
  openOrders: readonly OpenOrder[] | null,
): Steps<Found> {
  const shock = yield* prepareSteps(context, betaOf);
  const orders = openOrders === null ? NO_ORDERS : shockOrders(context, shock, openOrders);
  const up = yield* shockSteps(shock, false, orders);
  const down = mode === 'own' ? null : yield* shockSteps(shock, true, orders);
  const moves = movesOf(span);
  const curves = yield* curveSteps({ down, up }, moves);
  return { mode, span, shock, paths: { down, up }, moves, curves, orders };
}

/** The beta and the own move typed for a base coin. */
interface TypedMove {
  readonly coin: string;
  /** As typed, else as stored for this connection, else the default. */
  readonly beta: string;
  readonly betaFault: string | null;
  /** The coin's own move as typed, percent. */
  readonly own: string;
  readonly ownFault: string | null;
}

/** A base coin of the open positions and its move. */
export interface Underlying extends TypedMove {
  readonly leads: boolean;
  /** Percent at the chosen shock; null where none of its positions could be valued. */
  readonly move: string | null;
}

/** A price shock on the whole account. Construct it in a component: it runs an effect. */
export class AccountShock {
  #found = $state.raw<Found | null>(null);
  readonly #deps: AccountShockDeps;

  constructor(deps: AccountShockDeps) {
    this.#deps = deps;
    const calculation = new SlicedCalculation(deps.clock.time);
    $effect(() => {
      void [this.#due, this.#ordersDue];
      const { span } = this;
      const { mode, orders: counted } = this.input;
      const chosen = [mode, span.min, span.max, counted, this.#factorsText].join('\n');
      untrack(() => {
        const { context } = deps.fit;
        if (context === null) {
          calculation.stop();
          return;
        }
        const factors = this.#factors;
        const resting = counted === 'all' ? deps.feeds.resting : [];
        const orders = counted === 'none' ? null : resting;
        const steps = work(context, mode, span, (symbolId) => factors.get(symbolId) ?? '1', orders);
        calculation.run(chosen, steps, (found) => (this.#found = found));
      });
    });
  }

  get input(): ShockInput {
    return this.#deps.riskInput.shock;
  }

  readonly #baseBySymbol: ReadonlyMap<string, string> = $derived.by(() => {
    const { feeds } = this.#deps;
    return new Map(feeds.positions.map(({ symbolId }) => [symbolId, feeds.baseOf(symbolId)]));
  });
  baseOf(symbolId: string): string {
    return this.#baseBySymbol.get(symbolId) ?? symbolId;
  }
  readonly bases: readonly string[] = $derived.by(() => [...new Set(this.#baseBySymbol.values())].sort());
  readonly leader: string = $derived.by(() => {
    const chosen = this.input.leader;
    if (chosen !== null && this.bases.includes(chosen)) return chosen;
    return this.bases.includes('BTC') ? 'BTC' : (this.bases[0] ?? '');
  });

  /** Base coins of the open positions and how each of them moves. */
  readonly underlyings: readonly Underlying[] = $derived.by(() => {
    const valued = new Set(this.#valued.map((one) => this.baseOf(one.position.symbolId)));
    return this.#typedMoves.map((one) => {
      const move = print(round(multiply(amount(this.#factorOf(one)), amount(this.move)), 4, 'half-up'));
      const leads = this.input.mode === 'leads' && one.coin === this.leader;
      return { ...one, leads, move: this.ready && !valued.has(one.coin) ? null : move };
    });
  });
  /** Typed betas and moves, without the chosen shock: moving the slider must not calculate them again. */
  readonly #typedMoves: readonly TypedMove[] = $derived.by(() => {
    const stored = this.#deps.settings.value.risk.betas;
    return this.bases.map((coin) => {
      const beta =
        this.input.betas.get(coin) ?? stored[betaKey(this.#connectionId, coin)] ?? this.#stated(coin);
      const read = v.safeParse(riskSettingsSchema.entries.betas.value, beta);
      const betaFault = read.success ? null : `Beta of ${coin} “${beta}”: ${read.issues[0].message}.`;
      const own = this.input.own.get(coin) ?? OWN_MOVE;
      return { coin, beta, betaFault, own, ownFault: moveFault(`Move of ${coin}`, own, LOWEST, HIGHEST) };
    });
  });
  readonly betasChanged: boolean = $derived.by(() =>
    this.underlyings.some(({ coin, beta }) => beta !== this.#stated(coin)),
  );
  #stated(coin: string): string {
    return BETAS.get(coin) ?? OTHER_BETA;
  }
  /**
   * Percent the coin moves per percent of the shock. In mode `own` the shock says how much of the typed move applies.
   */
  #factorOf(one: TypedMove): string {
    if (this.input.mode === 'own')
      return one.ownFault === null ? print(divide(amount(one.own), amount('100'))) : '0';
    if (this.input.mode === 'all' || one.coin === this.leader) return '1';
    if (this.input.othersStill) return '0';
    return one.betaFault === null ? one.beta : '1';
  }
  /** Factors by contract. Independent of the chosen shock: moving the slider must not restart the calculation. */
  readonly #factors: ReadonlyMap<string, string> = $derived.by(() => {
    const byCoin = new Map(this.#typedMoves.map((one) => [one.coin, this.#factorOf(one)]));
    return new Map([...this.#baseBySymbol].map(([symbolId, coin]) => [symbolId, byCoin.get(coin) ?? '1']));
  });
  /** Equal while the factors are: a poll makes a new map. */
  readonly #factorsText: string = $derived.by(() => [...this.#factors].join(' '));

  readonly #due: string = $derived.by(() => shockDue(this.#deps));
  /** Changes when orders that are counted do; empty if none are. */
  readonly #ordersDue: string = $derived.by(() =>
    this.input.orders === 'all' ? this.#deps.feeds.restingDue : this.input.orders,
  );
  /** Resting orders, and TP/SL orders of positions. */
  readonly orderCounts: { readonly resting: number; readonly tpSl: number } = $derived.by(() => {
    const { resting, positions } = this.#deps.feeds;
    const tpSl = positions.reduce((count, one) => count + protectionOf(one).orders.length, 0);
    return { resting: resting.length, tpSl };
  });
  get #connectionId(): string {
    return this.#deps.session.activeId ?? '';
  }

  /** The shock as typed, percent: the one value behind chips, slider, field and chart. */
  readonly typed: string = $derived(this.input.mode === 'own' ? this.input.part : this.input.common);
  readonly fault: string | null = $derived.by(() =>
    this.input.mode === 'own'
      ? moveFault('Share of the moves', this.input.part, '0', '200')
      : moveFault('Move', this.input.common, LOWEST, HIGHEST),
  );
  /** What is wrong in the fields that count: with it there is no result, since it would be of another number. */
  readonly faults: string | null = $derived.by(() => {
    const { mode, othersStill } = this.input;
    const others = this.#typedMoves.map((one) => {
      if (mode === 'own') return one.ownFault;
      return mode === 'all' || othersStill || one.coin === this.leader ? null : one.betaFault;
    });
    return [this.fault, ...others].filter((one) => one !== null).join(' ') || null;
  });
  /** The last valid shock, percent: where the slider stands. */
  readonly move: string = $derived(this.input.mode === 'own' ? this.input.read.part : this.input.read.common);
  /** The shock as a number, for drawing only. */
  readonly at: number = $derived(toPixels(amount(this.move)));
  set(typed: string): void {
    const text = moveText(typed);
    if (this.input.mode === 'own') this.input.part = text;
    else this.input.common = text;
    if (this.fault !== null) return;
    this.input.read =
      this.input.mode === 'own' ? { ...this.input.read, part: text } : { ...this.input.read, common: text };
  }
  /** Sets the shock from the slider, rounded to half a percent and within what can be typed. */
  slide(percent: number): void {
    const { min, max } = this.input.mode === 'own' ? OWN_FAR : FAR_SPAN;
    this.set(String(Math.max(min, Math.min(max, Math.round(percent * 2) / 2))));
  }

  /** Range of the chart: the narrow one, unless the shock lies beyond it. */
  readonly span: Span = $derived.by(() => {
    if (this.input.mode === 'own') return this.#isFarUp ? OWN_FAR : OWN_SPAN;
    return this.#isFarDown || this.#isFarUp ? FAR_SPAN : NEAR_SPAN;
  });
  readonly #isFarDown: boolean = $derived(this.at < -50);
  readonly #isFarUp: boolean = $derived(this.at > (this.input.mode === 'own' ? 100 : 50));

  /** The last finished calculation, if it is of the current mode. */
  readonly #now: Found | null = $derived.by(() =>
    this.#found !== null && this.#found.mode === this.input.mode ? this.#found : null,
  );
  readonly ready: boolean = $derived(this.#now !== null);
  /** Positions that could not be valued, in the shown coin or in a contract whose coin is unknown. */
  readonly notCounted: readonly NotCountedPosition[] = $derived.by(() =>
    (this.#now?.shock.notCounted ?? []).filter(({ symbolId }) => {
      const coins = this.#deps.feeds.coinsOf(symbolId);
      return coins === null || coins.margin === this.coin || this.coin === '';
    }),
  );
  readonly moves: readonly string[] = $derived(this.#now?.moves ?? []);
  /** Range of the drawn curve, which may still be the previous one. */
  readonly drawn: Span = $derived(this.#now?.span ?? this.span);

  /** Margin coins with positions, the most valuable first as the account lists them. */
  readonly coins: readonly string[] = $derived((this.#now?.curves ?? []).map((one) => one.coin));
  /** The coin the figures are in. */
  readonly coin: string = $derived.by(() => {
    const chosen = this.input.coin;
    return chosen !== null && this.coins.includes(chosen)
      ? chosen
      : (this.coins.find((one) => /^USD/.test(one)) ?? this.coins[0] ?? '');
  });
  readonly curve: readonly CoinAt[] = $derived(
    this.#now?.curves.find((one) => one.coin === this.coin)?.points ?? [],
  );

  /** The shock as a share. */
  readonly #share: string = $derived(print(divide(amount(this.move), amount('100'))));
  readonly #valued: readonly ShockedPosition[] = $derived.by(() =>
    this.#now === null ? [] : positionsAt(this.#now.paths, this.#share),
  );
  /** Orders of the shown coin that fill on the way. */
  readonly #filled: readonly ShockOrder[] = $derived.by(() =>
    this.#now === null
      ? []
      : fillsAt(this.#now.paths, this.#share).filter(({ template }) => template.coin === this.coin),
  );
  /** Stop-losses of the shown coin that are assumed filled. */
  readonly filledStops: readonly ShockOrder[] = $derived.by(() =>
    this.#filled.filter(({ trigger }) => trigger === 'SL'),
  );
  /** Orders of the shown coin that are counted, resting ones and TP/SL apart: those that fill on the way, of how many. */
  readonly fills: readonly { readonly isTpSl: boolean; readonly filled: number; readonly of: number }[] =
    $derived.by(() => {
      if (this.#now === null) return [];
      const { orders } = this.#now.orders;
      const kinds = [false, true].map((isTpSl) => {
        const ofKind = ({ trigger }: ShockOrder): boolean => (trigger !== null) === isTpSl;
        const counted = orders.filter((one) => ofKind(one) && one.template.coin === this.coin);
        return { isTpSl, filled: this.#filled.filter(ofKind).length, of: counted.length };
      });
      return kinds.filter(({ of }) => of > 0);
    });
  /** Orders that could not be counted, of any coin. */
  readonly ordersNotCounted: readonly NotCounted[] = $derived.by(() => {
    if (this.#now === null) return [];
    const { orders, paths } = this.#now;
    const all = [...orders.notCounted, ...(paths.down?.notCounted ?? []), ...paths.up.notCounted];
    return [...new Map(all.map((one) => [one.id, one])).values()];
  });
  /** Positions in the shown coin. */
  readonly positions: readonly ShockedPosition[] = $derived.by(() =>
    this.#valued.filter((one) => one.coin === this.coin),
  );
  coinAt(coin: string, share: string = this.#share): CoinAt | null {
    return this.#now === null ? null : coinAt(this.#now.paths, coin, share);
  }

  /** The coins held beside the shown one, at marks of contracts quoted in it. Null until calculated. */
  readonly held: HeldCoins | null = $derived.by(() => {
    if (this.#now === null) return null;
    const { feeds } = this.#deps;
    const equity = new Map(
      feeds.assets
        .filter(({ coin }) => coin !== this.coin)
        .map(({ coin, equities }) => {
          const still = equities === null ? null : { before: equities, after: equities };
          const [before, after] = [this.coinAt(coin, '0'), this.coinAt(coin)];
          const moves = this.coins.includes(coin) && before !== null && after !== null;
          return [coin, moves ? { before: before.equity, after: after.equity } : still];
        }),
    );
    return heldCoins(equity, (coin) => {
      const quoted = this.positions.find(({ position: { symbolId } }) => {
        const coins = feeds.coinsOf(symbolId);
        return coins?.base === coin && coins.quote === this.coin;
      });
      const mark = quoted === undefined ? null : markOf(quoted.position);
      return quoted === undefined || mark === null ? null : { before: mark, after: quoted.price };
    });
  });

  /** Liquidations in the shown coin, at falling prices, then at rising ones. `order` counts all coins per direction. */
  readonly liquidations: readonly (Liquidation & { readonly order: number })[] = $derived.by(() => {
    const { down = null, up = null } = this.#now?.paths ?? {};
    return [down, up].flatMap((path) =>
      (path?.liquidations ?? [])
        .map((one, index) => ({ ...one, order: index + 1 }))
        .filter((one) => one.coin === this.coin),
    );
  });
  /** The liquidation that takes the smallest move, up or down. */
  readonly first: Liquidation | null = $derived.by(() => {
    const { down = null, up = null } = this.#now?.paths ?? {};
    const [below, above] = [down?.liquidations[0], up?.liquidations[0]];
    if (!below || !above) return below ?? above ?? null;
    return greater(absolute(calculated(below.move)), absolute(calculated(above.move))) ? above : below;
  });

  setOwn(coin: string, move: string): void {
    this.input.own = new Map([...this.input.own, [coin, moveText(move)]]);
  }
  /** Stores the beta for the connection once it is valid. */
  async setBeta(coin: string, beta: string): Promise<void> {
    this.input.betas = new Map([...this.input.betas, [coin, beta]]);
    if (this.underlyings.some((one) => one.coin === coin && one.betaFault !== null)) return;
    await this.#keep({ [betaKey(this.#connectionId, coin)]: beta });
  }
  async resetBetas(): Promise<void> {
    this.input.betas = new Map();
    await this.#keep({});
  }
  /** Adds betas to the stored ones; called with none, it removes those of this connection. */
  async #keep(more: Readonly<Record<string, string>>): Promise<void> {
    const { settings } = this.#deps;
    const { risk } = settings.value;
    const mine = betaKey(this.#connectionId, '');
    const before =
      Object.keys(more).length === 0
        ? Object.fromEntries(Object.entries(risk.betas).filter(([key]) => !key.startsWith(mine)))
        : risk.betas;
    await settings.change({ risk: { ...risk, betas: { ...before, ...more } } });
  }
}

const NEAR_SPAN: Span = { min: -50, max: 50 };
const FAR_SPAN: Span = { min: -95, max: 200 };
const OWN_SPAN: Span = { min: 0, max: 100 };
const OWN_FAR: Span = { min: 0, max: 200 };

/** Takes a minus as the window writes it, too: a figure may be pasted. */
const moveText = (typed: string): string => typed.trim().replace('−', '-');

function moveFault(field: string, text: string, least: string, most: string): string | null {
  if (!isDecimal(text)) return `${field} “${text}”: a plain number, such as -12.5.`;
  const move = amount(text);
  return less(move, amount(least)) || less(amount(most), move)
    ? `${field} “${text}”: from ${least} to ${most}.`
    : null;
}

/** Returns a change as a share of the value before; null where that was 0. */
export function changeShare(change: string, of: string): string | null {
  const whole = calculated(of);
  return isZero(whole) ? null : printFixed(divide(calculated(change), absolute(whole)), 6);
}
