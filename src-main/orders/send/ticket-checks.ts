/**
 * The checks of the ticket, asked again in the main process: the person's hard limits and what the exchange would
 * refuse anyway hold for every path to an order, whatever the window did.
 */
import type { ConnectionSummary } from '../../../src-shared/ipc/connections.ts';
import { denied, type Failure } from '../../../src-shared/ipc/failures.ts';
import { isTooOld, type Feeds } from '../../../src-shared/ipc/feeds.ts';
import type { OrderIntent } from '../../../src-shared/ipc/orders.ts';
import { contractKey, type Settings } from '../../../src-shared/ipc/settings.ts';
import { contractsBySymbol } from '../../../src-shared/domain/instrument/currencies.ts';
import { type AccountFit, fitAccount } from '../../../src-shared/domain/risk/convention-fit.ts';
import { inferSpecs, type ContractSpecs } from '../../../src-shared/domain/instrument/specs.ts';
import type { Convention } from '../../../src-shared/domain/margin/margin.ts';
import { checkOrder } from '../../../src-shared/domain/order/checks.ts';
import type { OrderContext } from '../../../src-shared/domain/instrument/trading-context.ts';
import { referencesOf } from '../../../src-shared/domain/instrument/reference-prices.ts';
import type { AccountInfo } from '../../../src-shared/exchange-api/account.ts';

export interface CheckBasis {
  readonly summary: ConnectionSummary;
  readonly feeds: Pick<Feeds, 'account' | 'openOrders' | 'history' | 'contracts'>;
  readonly settings: Pick<Settings, 'limits' | 'contracts'>;
  /** This computer's clock, ms. */
  readonly now: number;
}

/** The first check the order fails, as a failure that names field and way out; null when it passes them all. */
export function localRefusal(intent: OrderIntent, basis: CheckBasis): Failure | null {
  const failing = checkOrder(intent.request, contextOf(intent, basis)).find(
    (check) => check.state === 'fail',
  );
  if (failing === undefined) return null;
  const { suggestion, next = 'Change it in the ticket.' } = failing;
  const way = suggestion === undefined ? next : `${suggestion.label}.`;
  return denied(failing.message, way, failing.field, failing.code ?? undefined);
}

function contextOf(intent: OrderIntent, { summary, feeds, settings, now }: CheckBasis): OrderContext {
  const { symbolId } = intent.request;
  const { reference } = intent;
  const positions = feeds.account.value?.positions ?? [];
  const facts = (id: string): ContractSpecs => factsOf(id, { summary, feeds, settings });
  const setting = summary.settings.convention;
  // Only where the stop stands to the liquidation price rests on the reading of the tiers.
  const fit = intent.request.tpSl === undefined ? null : fitOf(feeds, facts, setting);
  return {
    contracts: feeds.contracts.value,
    // Too old to open by, as in the window. What closes needs none.
    account: isTooOld(feeds.account, 'account') ? null : feeds.account.value,
    openOrders: feeds.openOrders.value,
    specs: facts,
    references: referencesOf({
      symbolId,
      positions,
      positionsAt: feeds.account.age === null ? null : now - feeds.account.age,
      // The window's own trades are not at hand here; the price it judged by came with the order.
      ownTrade: reference?.source === 'own-trade' ? reference : null,
      typed: reference?.source === 'typed' ? reference : null,
      now,
    }),
    limits: settings.limits,
    convention: fit?.convention ?? setting,
    closingFee: fit?.fee !== 'out',
    kind: summary.kind,
    reverseQuantity: summary.kind === 'practice' ? 'new-position' : summary.settings.reverseQuantity,
    sendingOff: null,
    setAside: [...(feeds.account.setAside ?? []), ...(feeds.openOrders.setAside ?? [])],
    now,
  };
}

/** By the account it was made of: one order after another is judged between two polls. */
const fits = new WeakMap<AccountInfo, { readonly contracts: unknown; readonly fit: AccountFit }>();

/** How the exchange reads its tiers, found from the open positions as the window finds it. */
function fitOf(
  { account, contracts }: CheckBasis['feeds'],
  facts: (symbolId: string) => ContractSpecs,
  convention: Convention,
): AccountFit | null {
  if (account.value === null || contracts.value === null) return null;
  const before = fits.get(account.value);
  if (before?.contracts === contracts.value) return before.fit;
  const bySymbol = contractsBySymbol(contracts.value);
  const contractOf = (symbolId: string) => bySymbol.get(symbolId);
  const fit = fitAccount({ account: account.value, contractOf, specs: facts, convention });
  fits.set(account.value, { contracts: contracts.value, fit });
  return fit;
}

/** What records tell of a contract is read out of a thousand of them: once for all rows of a batch. */
const kept = new WeakMap<
  object,
  Map<string, { readonly basis: readonly unknown[]; readonly facts: ContractSpecs }>
>();

function factsOf(id: string, { summary, feeds, settings }: Omit<CheckBasis, 'now'>): ContractSpecs {
  const contracts = feeds.contracts.value ?? [];
  const own = settings.contracts[contractKey(summary.id, id)] ?? null;
  const basis = [feeds.account.value, feeds.openOrders.value, feeds.history.value, own];
  const byContract = kept.get(contracts) ?? new Map<string, { basis: unknown[]; facts: ContractSpecs }>();
  kept.set(contracts, byContract);
  const before = byContract.get(id);
  if (before?.basis.every((one, index) => one === basis[index]) === true) return before.facts;
  const facts = inferSpecs(
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
