/**
 * Tests a connection in steps, with reads only. A failed step has the form's field and the way out; steps that depend
 * on it are skipped, with the reason.
 */
import type { TestStep } from '../../src-shared/ipc/connections.ts';
import type { Failure } from '../../src-shared/ipc/failures.ts';
import { MAX_RESULTS, PAGE_SIZES } from '../../src-shared/exchange-api/endpoints.ts';
import type { TradePage } from '../../src-shared/exchange-api/trade.ts';
import type { ExchangeClient, ReadResult } from './client.ts';

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
export async function testConnection(
  client: ExchangeClient,
  pageSize: number = PAGE_SIZES[0],
): Promise<TestStep[]> {
  const steps: TestStep[] = [];
  const put = (name: StepName, state: TestStep['state'], detail: string, note = '', failure?: Failure) => {
    const step = {
      name,
      title: TITLES[name],
      state,
      detail,
      note,
      ...(failure === undefined ? {} : { failure }),
    };
    steps.push(step);
  };
  /** Passes or fails a step by a read's result. */
  const judge = <T>(name: StepName, result: ReadResult<T>, text: (data: T) => string): T | null => {
    if (!result.ok) {
      put(
        name,
        'failed',
        `${result.failure.message} ${result.failure.next}`,
        noteOf(result.failure),
        result.failure,
      );
      return null;
    }
    put(name, 'passed', text(result.data), `code 0 · ${Math.round(result.meta.latencyMs)} ms`);
    return result.data;
  };
  const skip = (names: readonly StepName[], why: string) => {
    for (const name of names) put(name, 'skipped', why);
  };

  const contracts = await client.symbolConfig();
  if (!contracts.ok && contracts.failure.kind === 'denied' && contracts.failure.field !== 'baseUrl') {
    // Invalid key, secret or signing profile: nothing was sent, so the base URL is untested.
    const { failure } = contracts;
    put('account', 'failed', `${failure.message} ${failure.next}`, '', failure);
    skip(
      ['reach', 'contracts', 'clock', 'open-orders', 'history', 'trades', 'orders'],
      'Skipped: no request can be sent with these settings.',
    );
    return steps;
  }
  if (!contracts.ok && !wasReached(contracts.failure)) {
    const { failure } = contracts;
    put('reach', 'failed', `${failure.message} ${failure.next}`, noteOf(failure), failure);
    skip(
      ['contracts', 'account', 'clock', 'open-orders', 'history', 'trades', 'orders'],
      'Skipped: the base URL could not be reached.',
    );
    return steps;
  }
  put(
    'reach',
    'passed',
    'The exchange replied.',
    contracts.ok ? `${Math.round(contracts.meta.latencyMs)} ms` : '',
  );
  const listed = judge(
    'contracts',
    contracts,
    (data) => `${plural(data.length, 'contract')} with risk tiers.`,
  );

  const account = judge(
    'account',
    await client.account(),
    (data) =>
      `Key and signature accepted: ${plural(data.assets.length, 'coin')}, ${plural(data.positions.length, 'position')}.`,
  );
  clockStep(client, put);
  if (account === null) {
    skip(['open-orders', 'history', 'trades', 'orders'], 'Skipped: the signed read did not succeed.');
    return steps;
  }

  await openOrdersStep(client, account.positions[0]?.symbolId ?? listed?.[0]?.symbolId, { put, judge });
  judge('history', await client.orderHistory(), (data) =>
    data.length >= MAX_RESULTS
      ? `${MAX_RESULTS} orders, the most one request returns. Older ones are read in time windows.`
      : `${plural(data.length, 'order')}.`,
  );
  await tradesStep(client, pageSize, { put, judge });
  put('orders', 'skipped', 'Skipped: this cannot be tested without sending an order.');
  return steps;
}

type Put = (
  name: StepName,
  state: TestStep['state'],
  detail: string,
  note?: string,
  failure?: Failure,
) => void;
interface Steps {
  readonly put: Put;
  readonly judge: <T>(name: StepName, result: ReadResult<T>, text: (data: T) => string) => T | null;
}

function clockStep(client: ExchangeClient, put: Put): void {
  const offset = client.clockOffsetMs();
  if (offset === null)
    return put(
      'clock',
      'warned',
      'The exchange sends no Date header, so its clock is unknown. Ballast uses this computer’s clock.',
    );
  if (Math.abs(offset) < 1000) return put('clock', 'passed', 'Clocks agree within about 1 s.');
  if (Math.abs(offset) <= CLOCK_WARNING_MS)
    return put('clock', 'passed', `This computer’s clock is ${seconds(offset)}; Ballast corrects for it.`);
  put(
    'clock',
    'warned',
    `This computer’s clock is ${seconds(offset)}. Ballast corrects for it, but set the clock.`,
  );
}

/** The API names the filter `symbolId`, its example `symbol`: a row of another contract shows that it is ignored. */
async function openOrdersStep(client: ExchangeClient, symbolId: string | undefined, { put, judge }: Steps) {
  if (symbolId === undefined) {
    judge(
      'open-orders',
      await client.openOrders(),
      (data) => `${plural(data.length, 'order')}; no contract to filter by.`,
    );
    return;
  }
  const result = await client.openOrders({ symbolId });
  const foreign = result.ok ? result.meta.listed - result.data.length : 0;
  if (foreign > 0)
    put(
      'open-orders',
      'warned',
      `The exchange ignores the filter symbolId: ${plural(foreign, 'order')} of other contracts returned. Ballast filters them itself.`,
    );
  else judge('open-orders', result, (data) => `${plural(data.length, 'order')} of ${symbolId}.`);
}

/** Failures after which another page or a smaller size may be served. */
const ANSWERED_KINDS = new Set<Failure['kind']>(['refused', 'server', 'unreadable']);

/** Reads the first page in the largest size that is served; pages are numbered from 1 or from 0. */
async function firstTrades(client: ExchangeClient, maxPageSize: number) {
  let found: { size: number; pageNumber: number; result: ReadResult<TradePage> } | null = null;
  for (const size of PAGE_SIZES.filter((one) => one <= maxPageSize))
    for (const pageNumber of [1, 0]) {
      const result = await client.trades({ pageNumber, pageSize: size });
      if (result.ok && (result.data.data.length > 0 || result.data.total === 0))
        return { size, pageNumber, result };
      if (found === null || (result.ok && !found.result.ok)) found = { size, pageNumber, result };
      if (!result.ok && !ANSWERED_KINDS.has(result.failure.kind)) return found;
      if (pageNumber === 0 && found.result.ok) return found;
    }
  return found;
}

async function tradesStep(client: ExchangeClient, maxPageSize: number, { put, judge }: Steps) {
  const first = await firstTrades(client, maxPageSize);
  if (first === null) return;
  const { size, pageNumber, result } = first;
  if (result.ok && result.data.total > 0 && result.data.data.length === 0)
    put(
      'trades',
      'warned',
      `${plural(result.data.total, 'trade')} reported, but none on page ${pageNumber}. The sync reads every page from page 0.`,
    );
  else
    judge('trades', result, ({ total, pageCount, data }) => {
      const refused =
        size < maxPageSize ? ` Pages of more than ${size} are rejected: Ballast requests ${size}.` : '';
      return total === 0
        ? `No trades yet.${refused}`
        : `${plural(total, 'trade')} on ${plural(pageCount, 'page')}, ${data.length} on page ${pageNumber}.${refused}`;
    });
}

/** Reports whether a failed read still reached the exchange. */
const wasReached = ({ kind, field }: Failure): boolean =>
  kind !== 'offline' &&
  kind !== 'denied' &&
  kind !== 'cancelled' &&
  !(kind === 'server' && field === 'baseUrl');

const noteOf = ({ code, status }: Failure): string =>
  [code === undefined ? '' : `code ${code}`, status === undefined ? '' : `HTTP ${status}`]
    .filter(Boolean)
    .join(' · ');
const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
const seconds = (ms: number): string => `${Math.round(Math.abs(ms) / 1000)} s ${ms > 0 ? 'behind' : 'ahead'}`;
