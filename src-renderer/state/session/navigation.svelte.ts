import type { AlertLink } from '../../../src-shared/domain/alerts/rules.ts';
import { untrack } from 'svelte';
import type { PositionIdentity } from '../../../src-shared/domain/position/identity.ts';
import type { OrderSide, OrderType } from '../../../src-shared/exchange-api/enums.ts';
import type { Settings } from './settings.svelte.ts';

/** Values another screen passes to the ticket, which consumes them once. */
export interface TicketSeed {
  readonly symbolId: string;
  readonly side?: OrderSide;
  readonly type?: OrderType;
  readonly price?: string;
  readonly quantity?: string;
  readonly reduceOnly?: boolean;
  /** Reverses the position; other options are switched off. */
  readonly reverseOrder?: true;
}

/** Where to look inside a screen: a contract, an order, an intent. */
export interface Link extends AlertLink {
  /** The position's side, if known: both legs of a hedge may share the id. */
  readonly side?: string;
  /** A part of the screen, such as a page of Settings. */
  readonly part?: string;
}

/** Which screen is open, which contract is chosen, and whether the ticket is shown. */
export class Navigation {
  screen = $state('overview');
  /** The section of Settings used last, kept while Ballast runs. */
  settingsSection = $state('connections');
  /** The contract that the ticket and Risk show. */
  symbol = $state<string | null>(null);
  /** Set by a jump, until the screen follows it. */
  link = $state.raw<Link | null>(null);
  seed = $state.raw<TicketSeed | null>(null);
  /** The focus is to move into the ticket, once it is drawn. */
  entersTicket = $state(false);
  paletteOpen = $state(false);
  /** The sheet that explains the margin ratio. */
  marginOpen = $state(false);
  /** The position whose liquidation price a sheet explains. */
  liquidationOf = $state.raw<PositionIdentity | null>(null);
  /** Under 1200 px the ticket is an overlay that starts closed. */
  narrow = $state(false);
  /** From 1400 px the ticket may take two columns. */
  roomy = $state(false);
  /** From 2540 px it has them unless the user wants one: the screen beside it still shows all its panes. */
  vast = $state(false);
  /** Width of the open screen's right side pane, px, which toasts leave free: it may hold a send button. */
  sidePane = $state(0);
  /** Set while leaving would lose what is typed: asks, and calls `leave` once that is agreed to. */
  beforeLeaving: ((leave: () => void) => void) | null = null;
  #overlay = $state(false);
  #yields = $state(false);
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  readonly ticketShown: boolean = $derived.by(() =>
    this.narrow ? this.#overlay : this.#settings.value.ticketOpen && !this.#yields,
  );

  readonly ticketWide: boolean = $derived.by(() => {
    const { ticketWide, ticketNarrow } = this.#settings.value;
    return this.vast ? !ticketNarrow : this.roomy && ticketWide;
  });
  toggleTicketWidth(): void {
    const wide = !this.ticketWide;
    void this.#settings.change(this.vast ? { ticketNarrow: !wide } : { ticketWide: wide });
  }

  go(screen: string, link: Link | null = null): void {
    const go = (): void => {
      this.screen = screen;
      this.link = link;
      if (link?.symbolId !== undefined) this.symbol = link.symbolId;
      // What a link leads to may be below it.
      if (link !== null) this.#overlay = false;
    };
    if (screen === this.screen) go();
    else this.leave(go);
  }
  openSection(section: string): void {
    if (section !== this.settingsSection) this.leave(() => (this.settingsSection = section));
  }
  /** Does what leaves the place that is open, unless the user wants to stay. */
  leave(then: () => void): void {
    if (this.beforeLeaving === null) then();
    else this.beforeLeaving(then);
  }

  /**
   * Follows the links to `screen` that `pick` finds something in, also while it is open: takes the link, then calls `then`
   * with what was picked. To be called while a component of the screen is set up.
   */
  follow<T>(screen: string, pick: (link: Link) => T | undefined, then: (picked: T) => void): void {
    $effect.pre(() => {
      // On the way to another screen the one that is left is still there.
      if (this.link === null || this.screen !== screen) return;
      const picked = pick(this.link);
      if (picked === undefined) return;
      this.link = null;
      untrack(() => then(picked));
    });
  }

  showTicket(shown: boolean): void {
    this.#yields = false;
    if (this.narrow) this.#overlay = shown;
    else if (shown !== this.#settings.value.ticketOpen) void this.#settings.change({ ticketOpen: shown });
  }
  toggleTicket(): void {
    this.showTicket(!this.ticketShown);
  }
  /** Goes to the ticket; from there, hides it. */
  enterOrHideTicket(isInside: boolean): void {
    if (this.ticketShown && isInside) return this.showTicket(false);
    this.showTicket(true);
    this.entersTicket = true;
  }
  /**
   * Folds the docked ticket while a screen's own side pane is open, unless the user opens it meanwhile. Returns the
   * function that brings it back.
   */
  yieldTicket(): () => void {
    this.#yields = true;
    return () => (this.#yields = false);
  }

  /** Opens the ticket on a contract, filled in as far as the seed says. */
  trade(seed: TicketSeed): void {
    this.symbol = seed.symbolId;
    this.seed = seed;
    this.entersTicket = true;
    this.showTicket(true);
  }
  takeSeed(): TicketSeed | null {
    const seed = this.seed;
    this.seed = null;
    return seed;
  }

  /** Clears the selection and the seed on a connection switch. */
  reset(): void {
    this.symbol = null;
    this.link = null;
    this.seed = null;
    this.entersTicket = false;
    this.marginOpen = false;
    this.liquidationOf = null;
  }
}
