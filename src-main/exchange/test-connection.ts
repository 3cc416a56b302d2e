/**
 * Tests a connection in steps, with reads only. A failed step has the form's field and the way out; steps that depend
 * on it are skipped, with the reason.
 */
import type { TestStep } from '../../src-shared/ipc/connections.ts';
import { exchangeReplied, type Failure } from '../../src-shared/ipc/failures.ts';
import { MAX_RESULTS, PAGE_SIZES } from '../../src-shared/exchange-api/endpoints.ts';
import type { TradePage } from '../../src-shared/exchange-api/trade.ts';
import type { ExchangeClient, ReadResult } from './client.ts';
import { failureOnce } from './read-outcome.ts';
import { counted } from '../../src-shared/domain/display/counted.ts';

type StepName = TestStep['name'];

const TITLES: Readonly<Record<StepName, string>> = {
  reach: 'Reach the base URL',
  contracts: 'Contracts',
  account: 'Signed account read',
  clock: 'Clock',
  'open-orders': 'Open orders, by contract',
  history: 'Order history',
  trades: 'Trades',
  orders: 'Permission to trade',
};

/** Beyond this, exchanges that check timestamps may reject requests. */
const CLOCK_WARNING_MS = 5000;

/** @param pageSize largest page size of trades to request */
export const testConnection = (
  client: ExchangeClient,
  pageSize: number = PAGE_SIZES[0],
): Promise<TestStep[]> => new ConnectionTest(client, pageSize).run();

class ConnectionTest {
  readonly #client: ExchangeClient;
  readonly #pageSize: number;
  readonly #steps: TestStep[] = [];

  constructor(client: ExchangeClient, pageSize: number) {
    this.#client = client;
    this.#pageSize = pageSize;
  }

  async run(): Promise<TestStep[]> {
    const contracts = await this.#client.symbolConfig();
    if (!this.#reached(contracts)) return this.#steps;
    const listed = this.#report(
      'contracts',
      contracts,
      (data) => `${counted(data.length, 'contract')} with risk tiers.`,
    );
    const account = this.#report(
      'account',
      await this.#client.account(),
      (data) =>
        `Key and signature accepted: ${counted(data.assets.length, 'coin')}, ${counted(data.positions.length, 'position')}.`,
    );
    this.#clock();
    if (account === null) {
      this.#skip(['open-orders', 'history', 'trades', 'orders'], 'Skipped: the signed read did not succeed.');
      return this.#steps;
    }
    await this.#openOrders(account.positions[0]?.symbolId ?? listed?.[0]?.symbolId);
    this.#report('history', await this.#client.orderHistory(), (data) =>
      data.length >= MAX_RESULTS
        ? `${MAX_RESULTS} orders, the most one request returns. Older ones are read in time windows.`
        : `${counted(data.length, 'order')}.`,
    );
    await this.#trades();
    this.#put('orders', 'skipped', 'Skipped: this cannot be tested without sending an order.');
    return this.#steps;
  }

  /** Judges by the first read whether the exchange replies at all; if not, everything else is skipped. */
  #reached(contracts: ReadResult<readonly unknown[]>): boolean {
    if (contracts.ok) {
      this.#put('reach', 'passed', 'The exchange replied.', `${Math.round(contracts.meta.latencyMs)} ms`);
      return true;
    }
    const failure = failureOnce(contracts.failure);
    if (failure.kind === 'blocked' && failure.field !== 'baseUrl') {
      // Invalid key, secret or signing profile: nothing was sent, so the base URL is untested.
      this.#put('account', 'failed', `${failure.message} ${failure.next}`, '', failure);
      this.#skip(
        ['reach', 'contracts', 'clock', 'open-orders', 'history', 'trades', 'orders'],
        'Skipped: no request can be sent with these settings.',
      );
      return false;
    }
    if (!wasReached(failure)) {
      this.#put('reach', 'failed', `${failure.message} ${failure.next}`, noteOf(failure), failure);
      this.#skip(
        ['contracts', 'account', 'clock', 'open-orders', 'history', 'trades', 'orders'],
        'Skipped: the exchange API was not reached.',
      );
      return false;
    }
    this.#put('reach', 'passed', 'The exchange replied.');
    return true;
  }

  #clock(): void {
    const offset = this.#client.clockOffsetMs();
    if (offset === null) {
      const detail =
        'The exchange sends no Date header, so its clock is unknown. Ballast uses this computer’s clock.';
      this.#put('clock', 'warned', detail);
      return;
    }
    const detail = `This computer’s clock is ${seconds(offset)}`;
    if (Math.abs(offset) < 1000) this.#put('clock', 'passed', 'Clocks agree within about 1 s.');
    else if (Math.abs(offset) <= CLOCK_WARNING_MS)
      this.#put('clock', 'passed', `${detail}; Ballast corrects for it.`);
    else this.#put('clock', 'warned', `${detail}. Ballast corrects for it, but set the clock.`);
  }

  /** The API names the filter `symbolId`, its example `symbol`: a row of another contract shows that it is ignored. */
  async #openOrders(symbolId: string | undefined): Promise<void> {
    if (symbolId === undefined) {
      this.#report(
        'open-orders',
        await this.#client.openOrders(),
        (data) => `${counted(data.length, 'order')}; no contract to filter by.`,
      );
      return;
    }
    const result = await this.#client.openOrders({ symbolId });
    const unreadable = result.ok ? (result.meta.unreadable?.length ?? 0) : 0;
    const foreign = result.ok ? result.meta.listed - unreadable - result.data.length : 0;
    if (foreign > 0)
      this.#put(
        'open-orders',
        'warned',
        `The exchange ignores the filter symbolId: ${counted(foreign, 'order')} of other contracts returned. Ballast filters them itself.`,
      );
    else this.#report('open-orders', result, (data) => `${counted(data.length, 'order')} of ${symbolId}.`);
  }

  async #trades(): Promise<void> {
    const first = await firstTrades(this.#client, this.#pageSize);
    if (first === null) return;
    const { size, pageNumber, result } = first;
    if (result.ok && result.data.total > 0 && result.data.data.length === 0) {
      const reported = `${counted(result.data.total, 'trade')} reported, but none on page ${pageNumber}.`;
      this.#put('trades', 'warned', `${reported} The sync reads every page from page 0.`);
      return;
    }
    const rejected =
      size < this.#pageSize ? ` Pages of more than ${size} are rejected: Ballast requests ${size}.` : '';
    this.#report('trades', result, ({ total, pageCount, data }) =>
      total === 0
        ? `No trades yet.${rejected}`
        : `${counted(total, 'trade')} on ${counted(pageCount, 'page')}, ${data.length} on page ${pageNumber}.${rejected}`,
    );
  }

  /** Passes or fails a step by a read's result. */
  #report<T>(name: StepName, result: ReadResult<T>, text: (data: T) => string): T | null {
    if (!result.ok) {
      const failure = failureOnce(result.failure);
      this.#put(name, 'failed', `${failure.message} ${failure.next}`, noteOf(failure), failure);
      return null;
    }
    this.#put(name, 'passed', text(result.data), `code 0 · ${Math.round(result.meta.latencyMs)} ms`);
    return result.data;
  }

  #skip(names: readonly StepName[], why: string): void {
    for (const name of names) this.#put(name, 'skipped', why);
  }

  #put(name: StepName, state: TestStep['state'], detail: string, note = '', failure?: Failure): void {
    const step = { name, title: TITLES[name], state, detail, note };
    this.#steps.push(failure === undefined ? step : { ...step, failure });
  }
}

/** Reads the first page in the largest size that is served; pages are numbered from 1 or from 0. */
async function firstTrades(client: ExchangeClient, maxPageSize: number) {
  let found: { size: number; pageNumber: number; result: ReadResult<TradePage> } | null = null;
  for (const size of PAGE_SIZES.filter((one) => one <= maxPageSize))
    for (const pageNumber of [1, 0]) {
      const result = await client.trades({ pageNumber, pageSize: size });
      if (result.ok && (result.data.data.length > 0 || result.data.total === 0))
        return { size, pageNumber, result };
      if (found === null || (result.ok && !found.result.ok)) found = { size, pageNumber, result };
      if (!result.ok && !exchangeReplied(result.failure)) return found;
      if (pageNumber === 0 && found.result.ok) return found;
    }
  return found;
}

/** Reports whether a failed read still reached the exchange. */
const wasReached = ({ kind, field }: Failure): boolean =>
  kind !== 'offline' &&
  kind !== 'blocked' &&
  kind !== 'cancelled' &&
  !(kind === 'server' && field === 'baseUrl');

const noteOf = ({ code, status }: Failure): string =>
  [code === undefined ? '' : `code ${code}`, status === undefined ? '' : `HTTP ${status}`]
    .filter(Boolean)
    .join(' · ');
const seconds = (ms: number): string => `${Math.round(Math.abs(ms) / 1000)} s ${ms > 0 ? 'behind' : 'ahead'}`;
