/**
 * The checks of the ticket, asked again in the main process: the person's hard limits and what the exchange would
 * refuse anyway hold for every path to an order, whatever the window did.
 */
import type { ConnectionSummary } from '../../src-shared/contract/connections.ts';
import { denied, type Failure } from '../../src-shared/contract/failures.ts';
import type { Feeds } from '../../src-shared/contract/feeds.ts';
import type { OrderIntent } from '../../src-shared/contract/orders.ts';
import { contractKey, type Settings } from '../../src-shared/contract/settings.ts';
import { learnOf } from '../../src-shared/domain/learned.ts';
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
    facts: (id) =>
      learnOf(
        id,
        feeds.contracts.value?.find((one) => one.symbolId === id),
        { positions, openOrders: feeds.openOrders.value, history: feeds.history.value, trades: null },
        settings.contracts[contractKey(summary.id, id)] ?? null,
      ),
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
