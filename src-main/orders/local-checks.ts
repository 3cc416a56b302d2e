/**
 * The checks of the ticket, asked again in the main process: the person's hard limits and what the exchange would
 * refuse anyway hold for every path to an order, whatever the window did.
 */
import type { ConnectionSummary } from '../../src-shared/contract/connections.ts';
import { denied, type Failure } from '../../src-shared/contract/failures.ts';
import type { Feeds } from '../../src-shared/contract/feeds.ts';
import type { OrderIntent } from '../../src-shared/contract/orders.ts';
import { contractKey, type Settings } from '../../src-shared/contract/settings.ts';
import { learnOf, type Learned } from '../../src-shared/domain/learned.ts';
import { checkOrder } from '../../src-shared/domain/order-checks.ts';
import type { OrderContext } from '../../src-shared/domain/order-context.ts';
import { referencesOf } from '../../src-shared/domain/references.ts';

export interface CheckBasis {
  readonly summary: ConnectionSummary;
  readonly feeds: Pick<Feeds, 'account' | 'openOrders' | 'history' | 'contracts'>;
  readonly settings: Pick<Settings, 'limits' | 'contracts'>;
  /** This computer's clock, ms. */
  readonly now: number;
}

/** The first check the order fails, as a failure that names field and way out; null when it passes them all. */
export function localRefusal(intent: OrderIntent, basis: CheckBasis): Failure | null {
  // Without the configuration nothing can be judged; the exchange's own answer then decides.
  if (basis.feeds.contracts.value === null) return null;
  const failing = checkOrder(intent.request, contextOf(intent, basis)).find(
    (check) => check.state === 'fail',
  );
  if (failing === undefined) return null;
  const way = failing.suggestion === undefined ? 'Change it in the ticket.' : `${failing.suggestion.label}.`;
  return denied(failing.message, way, failing.field, failing.code ?? undefined);
}

function contextOf(intent: OrderIntent, { summary, feeds, settings, now }: CheckBasis): OrderContext {
  const { symbolId } = intent.request;
  const { reference } = intent;
  const positions = feeds.account.value?.positions ?? [];
  return {
    contracts: feeds.contracts.value,
    account: feeds.account.value,
    openOrders: feeds.openOrders.value,
    facts: (id) => factsOf(id, { summary, feeds, settings }),
    references: referencesOf({
      symbolId,
      positions,
      positionsAt: feeds.account.receivedAt,
      // The window's own trades are not at hand here; the price it judged by came with the order.
      ownTrade: reference?.source === 'own-trade' ? reference : null,
      typed: reference?.source === 'typed' ? reference : null,
      now,
    }),
    limits: settings.limits,
    convention: summary.settings.convention,
    kind: summary.kind,
    reverseQuantity: summary.kind === 'practice' ? 'new-position' : summary.settings.reverseQuantity,
    sendingOff: null,
    now,
  };
}

/** What records tell of a contract is read out of a thousand of them: once for all rows of a batch. */
const kept = new WeakMap<
  object,
  Map<string, { readonly basis: readonly unknown[]; readonly facts: Learned }>
>();

function factsOf(id: string, { summary, feeds, settings }: Omit<CheckBasis, 'now'>): Learned {
  const contracts = feeds.contracts.value ?? [];
  const own = settings.contracts[contractKey(summary.id, id)] ?? null;
  const basis = [feeds.account.value, feeds.openOrders.value, feeds.history.value, own];
  const byContract = kept.get(contracts) ?? new Map<string, { basis: unknown[]; facts: Learned }>();
  kept.set(contracts, byContract);
  const before = byContract.get(id);
  if (before?.basis.every((one, index) => one === basis[index]) === true) return before.facts;
  const facts = learnOf(
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
  byContract.set(id, { basis, facts });
  return facts;
}
