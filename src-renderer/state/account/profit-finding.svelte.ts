import type { Calls } from '../../bridge.ts';
import type { ProfitFinding } from '../../../src-shared/ipc/profit.ts';
import { tradedContract } from '../../../src-shared/domain/instrument/currencies.ts';
import type { Session } from '../session/session.svelte.ts';
import type { TradeSync } from '../trades/sync.svelte.ts';
import type { Feeds } from './feeds.svelte.ts';

interface ProfitDeps {
  readonly calls: Calls;
  readonly feeds: Feeds;
  readonly session: Session;
  readonly tradeSync: TradeSync;
}

/** Whether the exchange's profits are before fees, as the open connection's closed positions show. */
export class ProfitFindings {
  readonly #deps: ProfitDeps;
  #found = $state.raw<{ readonly opened: string; readonly finding: ProfitFinding } | null>(null);
  #requestId = 0;

  constructor(deps: ProfitDeps) {
    this.#deps = deps;
  }

  /** Null until it was requested; another connection's or account's is never shown. */
  readonly finding: ProfitFinding | null = $derived.by(() =>
    this.#found?.opened === this.#deps.session.opened ? this.#found.finding : null,
  );
  /**
   * The connection, its setting and its contracts. Null until both histories have been read: a finding reads all trades,
   * which must not slow a start. An export asks by itself.
   */
  readonly #basis: string | null = $derived.by(() => {
    const { feeds, session, tradeSync } = this.#deps;
    const { active } = session;
    const status = tradeSync.status;
    if (active === null || feeds.contractBySymbol.size === 0) return null;
    if (status?.state !== 'complete' || status.orders.state !== 'complete') return null;
    return JSON.stringify([active.id, active.settings.profit, feeds.contractBySymbol.size]);
  });

  /** Requests it now and whenever what it depends on changes. Returns the function that stops it. */
  start(): () => void {
    return $effect.root(() => {
      $effect(() => {
        if (this.#basis !== null) void this.request();
      });
    });
  }

  /** Requests the finding again, since positions may have been closed meanwhile. */
  async request(): Promise<void> {
    const { calls, feeds, session } = this.#deps;
    const { activeId: connectionId, opened } = session;
    if (connectionId === null || feeds.contractBySymbol.size === 0) return;
    const mine = ++this.#requestId;
    const contracts = [...feeds.contractBySymbol.values()].map(tradedContract);
    const result = await calls.call('archive.profit', { connectionId, contracts });
    if (mine === this.#requestId && result.ok) this.#found = { opened, finding: result.data };
  }
}
