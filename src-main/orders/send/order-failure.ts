/**
 * Asks the rules of an order in the main process, so that an order of any other shape, the user's hard limits and
 * predictable rejections stop it, whatever the window did.
 */
import type { ConnectionSummary } from '../../../src-shared/ipc/connections.ts';
import { blockedFailure, type Failure } from '../../../src-shared/ipc/failures.ts';
import { isTooOld, type Feeds } from '../../../src-shared/ipc/feeds.ts';
import type { OrderIntent } from '../../../src-shared/ipc/orders.ts';
import { contractKey, inferSpecs, type ContractSpecs } from '../../../src-shared/domain/instrument/specs.ts';
import type { Settings } from '../../../src-shared/ipc/settings.ts';
import { contractsBySymbol } from '../../../src-shared/domain/instrument/currencies.ts';
import { type AccountFit, fitAccount } from '../../../src-shared/domain/risk/convention-fit.ts';
import { withAhead } from '../../../src-shared/domain/order/day-rules.ts';
import { checkOrder } from '../../../src-shared/domain/order/rules.ts';
import type { DayUsage, OrderContext } from '../../../src-shared/domain/instrument/trading-context.ts';
import { referencesOf } from '../../../src-shared/domain/instrument/reference-prices.ts';
import type { AccountInfo } from '../../../src-shared/exchange-api/account.ts';

export interface CheckInputs {
  readonly summary: ConnectionSummary;
  readonly feeds: Pick<Feeds, 'account' | 'openOrders' | 'history' | 'contracts'>;
  readonly settings: Pick<Settings, 'limits' | 'contracts'>;
  /** The account's daily limits; null without any. */
  readonly day: DayUsage | null;
  /** This computer's clock, ms. */
  readonly now: number;
}

/**
 * Returns the first rule the order breaks, with its field and the next step; null if it may be sent. `ahead`: opening
 * orders before it that no journal has yet.
 */
export function orderFailure(intent: OrderIntent, inputs: CheckInputs, ahead = 0): Failure | null {
  const context = withAhead(contextOf(intent, inputs), ahead);
  const failing = checkOrder(intent, context).find((check) => check.state === 'fail');
  if (failing === undefined) return null;
  const { suggestion, next = 'Change the order, then review it again.' } = failing;
  const nextStep = suggestion === undefined ? next : `${suggestion.label}.`;
  return blockedFailure(failing.message, nextStep, failing.field, failing.code ?? undefined);
}

function contextOf(intent: OrderIntent, { summary, feeds, settings, day, now }: CheckInputs): OrderContext {
  const { symbolId } = intent.request;
  const { reference } = intent;
  const positions = feeds.account.value?.positions ?? [];
  const specs = (id: string): ContractSpecs => specsOf(id, { summary, feeds, settings });
  const setting = summary.settings.convention;
  // Only the check of a stop against the liquidation price needs the tier convention.
  const fit = intent.request.tpSl === undefined ? null : fitOf({ feeds, settings }, specs);
  return {
    contracts: feeds.contracts.value,
    // Opening needs fresh account data, as in the window; closing needs none.
    account: isTooOld(feeds.account, 'account') ? null : feeds.account.value,
    openOrders: feeds.openOrders.value,
    specs,
    references: referencesOf({
      symbolId,
      positions,
      positionsAt: feeds.account.age === null ? null : now - feeds.account.age,
      // The window's trades are not available here; its reference price came with the order.
      ownTrade: reference?.source === 'own-trade' ? reference : null,
      typed: reference?.source === 'typed' ? reference : null,
      now,
    }),
    limits: settings.limits,
    day,
    convention: fit?.convention ?? setting,
    closingFee: fit?.fee !== 'out',
    marginUnit: null,
    kind: summary.kind,
    reverseQuantity: summary.kind === 'practice' ? 'new-position' : summary.settings.reverseQuantity,
    triggerTypes: summary.settings.triggerTypes,
    unreadable: [...(feeds.account.unreadable ?? []), ...(feeds.openOrders.unreadable ?? [])],
    now,
  };
}

const areSame = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.every((one, index) => one === others[index]);

/** Fits by account reply: many orders are checked between two polls. */
const fitCache = new WeakMap<
  AccountInfo,
  { readonly inputs: readonly unknown[]; readonly fit: AccountFit }
>();

/** Infers the tier convention from the open positions, as the window does. */
function fitOf(
  { feeds, settings }: Pick<CheckInputs, 'feeds' | 'settings'>,
  specs: (symbolId: string) => ContractSpecs,
): AccountFit | null {
  const { account, contracts, openOrders, history } = feeds;
  if (account.value === null || contracts.value === null) return null;
  const inputs = [contracts.value, openOrders.value, history.value, settings.contracts];
  const before = fitCache.get(account.value);
  if (before !== undefined && areSame(before.inputs, inputs)) return before.fit;
  const bySymbol = contractsBySymbol(contracts.value);
  const contractOf = (symbolId: string) => bySymbol.get(symbolId);
  const fit = fitAccount({ account: account.value, contractOf, specs });
  fitCache.set(account.value, { inputs, fit });
  return fit;
}

/** Inferred specs by contract list: inferring scans a thousand records, so once for all rows of a batch. */
const specsCache = new WeakMap<
  object,
  Map<string, { readonly inputs: readonly unknown[]; readonly specs: ContractSpecs }>
>();

function specsOf(id: string, { summary, feeds, settings }: Omit<CheckInputs, 'now' | 'day'>): ContractSpecs {
  const contracts = feeds.contracts.value ?? [];
  const own = settings.contracts[contractKey(summary.id, id)] ?? null;
  const inputs = [feeds.account.value, feeds.openOrders.value, feeds.history.value, own];
  const byContract =
    specsCache.get(contracts) ?? new Map<string, { inputs: unknown[]; specs: ContractSpecs }>();
  specsCache.set(contracts, byContract);
  const before = byContract.get(id);
  if (before !== undefined && areSame(before.inputs, inputs)) return before.specs;
  const specs = inferSpecs(
    id,
    contracts.find((one) => one.symbolId === id),
    {
      positions: feeds.account.value?.positions ?? [],
      openOrders: feeds.openOrders.value,
      history: feeds.history.value,
      trades: null,
    },
    own,
  );
  byContract.set(id, { inputs, specs });
  return specs;
}
