/** Passes the window's state to the order rules of src-shared/domain. */
import type { AccountContext, OrderContext } from '../../../src-shared/domain/instrument/trading-context.ts';
import type { RatioUnits } from '../../../src-shared/domain/margin/ratio-unit.ts';
import type { Clock } from '../runtime/clock.svelte.ts';
import type { ConventionFit } from '../account/tier-convention.svelte.ts';
import type { DayLimits } from '../account/day-limits.svelte.ts';
import type { Feeds } from '../account/feeds.svelte.ts';
import type { SpecsStore } from '../account/contract-specs.svelte.ts';
import type { Session } from '../session/session.svelte.ts';
import type { Settings } from '../session/settings.svelte.ts';

/** The parts of AppState that order checks and estimates use. */
export interface TradingContext {
  readonly feeds: Feeds;
  readonly specs: SpecsStore;
  readonly settings: Settings;
  readonly session: Session;
  readonly clock: Clock;
  readonly day: Pick<DayLimits, 'state'>;
  readonly fit: ConventionFit;
  readonly ratioUnits: RatioUnits;
  readonly sendingOff: string | null;
}

/** The account, without a contract's data. Reads state, not the clock: use it inside `$derived`. */
export function accountContextOf({ feeds, specs, fit, ratioUnits }: TradingContext): AccountContext {
  return {
    contracts: feeds.contracts.value,
    account: feeds.account.value,
    openOrders: feeds.openOrders.value,
    specs: specs.reader(),
    convention: fit.convention,
    closingFee: fit.closingFee,
    marginUnit: ratioUnits.margin.unit,
  };
}

/** Reads state and the clock: use it inside `$derived`. */
export function orderContextOf(context: TradingContext, symbolId: string): OrderContext {
  const { feeds, specs, settings, session, clock, day } = context;
  return {
    ...accountContextOf(context),
    references: symbolId === '' ? [] : specs.references(symbolId),
    limits: settings.value.limits,
    day: day.state,
    kind: session.active?.kind ?? 'live',
    reverseQuantity: reverseQuantityOf(session),
    triggerTypes: triggerTypesOf(session),
    // No order may be sent for the contracts of records that cannot be read.
    unreadable: [...(feeds.account.feed.unreadable ?? []), ...(feeds.openOrders.feed.unreadable ?? [])],
    now: clock.now,
  };
}

/** Trigger types of take profits and stop losses, which are a setting of the connection. */
export const triggerTypesOf = ({ active }: Session): readonly string[] => active?.settings.triggerTypes ?? [];

/** What the quantity of a reverse order means: known for practice, a setting of every other connection. */
export function reverseQuantityOf({ active }: Session): OrderContext['reverseQuantity'] {
  return active?.kind === 'practice' ? 'new-position' : (active?.settings.reverseQuantity ?? 'unset');
}
