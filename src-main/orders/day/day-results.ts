/**
 * The realised result of an account's day by coin, after fees, as Overview sums closed orders. The archive sums it when the
 * order history was read; the result names what it may lack.
 */
import { add, amount, calculated, isPositive, print } from '../../../src-shared/amount.ts';
import { isTooOld, type Feeds } from '../../../src-shared/ipc/feeds.ts';
import type { Result } from '../../../src-shared/ipc/failures.ts';
import type { StatsSummary } from '../../../src-shared/ipc/archive.ts';
import type { DayState } from '../../../src-shared/ipc/day-limits.ts';
import {
  type AccountIdentity,
  compareAccounts,
} from '../../../src-shared/domain/reconcile/account-identity.ts';
import { mayBeLimited } from '../../../src-shared/exchange-api/endpoints.ts';
import type { HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import { coinsOf } from '../../../src-shared/domain/instrument/currencies.ts';

type Summary = Pick<StatsSummary, 'results'> & {
  readonly basis: { readonly leftOut: { readonly orders: number } };
};

/** The open connection. */
export interface DayReading {
  readonly id: string;
  readonly account: AccountIdentity;
  feeds(): Pick<Feeds, 'history' | 'contracts'>;
  /** Exchange clock − this computer's, ms; null before the first reply. */
  clockOffsetMs(): number | null;
  /** Sums the closed orders changed since `from`, ms of the exchange's clock. */
  summary(from: number): Promise<Result<Summary>>;
}

interface Read {
  readonly id: string;
  readonly account: AccountIdentity;
  readonly startsAt: number;
  /** The history reply that is summed. */
  readonly history: readonly HistoryOrder[];
  readonly at: number;
  readonly nets: ReadonlyMap<string, string>;
  readonly unknown: string | null;
}

type DayResult = Pick<DayState, 'result' | 'unknown' | 'resultAt' | 'others'>;
const UNREAD: DayResult = {
  result: null,
  unknown: 'Order history has not been read yet.',
  resultAt: null,
  others: [],
};
const OUT_OF_DATE = 'Order history is out of date.';
const NOT_STORED = 'Today’s orders are still being stored.';
const NO_ARCHIVE = 'The archive cannot be read.';
const NO_COIN = 'An order of today names no coin and no listed contract.';
const MAY_BE_CUT = 'The exchange may not list all orders of today.';

export class DayResults {
  readonly #open: () => DayReading | null;
  #read: Read | null = null;
  #isReading = false;

  constructor(open: () => DayReading | null) {
    this.#open = open;
  }

  /** Sums the day if the order history was read since it was summed, then calls `changed`. */
  refresh(id: string, startsAt: number, changed: () => void): void {
    const open = this.#open();
    if (open?.id !== id || this.#isReading) return;
    const { value } = open.feeds().history;
    const isSummed = this.#readOf(open, startsAt)?.history === value;
    if (value === null || (isSummed && this.#read?.unknown !== NOT_STORED)) return;
    this.#isReading = true;
    void this.#sum(open, startsAt, value).finally(() => {
      this.#isReading = false;
      changed();
    });
  }

  /** Returns what is known of the day's result in `coin`. */
  of(id: string, startsAt: number, coin: string | null): DayResult {
    const open = this.#open();
    if (coin === null) return { ...UNREAD, unknown: null };
    const read = open?.id === id ? this.#readOf(open, startsAt) : null;
    if (open === null || read === null) return UNREAD;
    const others = [...read.nets].filter(([one, net]) => one !== coin && net !== '0');
    return {
      result: read.unknown === NO_ARCHIVE ? null : (read.nets.get(coin) ?? '0'),
      unknown: read.unknown ?? (isTooOld(open.feeds().history, 'history') ? OUT_OF_DATE : null),
      resultAt: read.at,
      others: others.map(([one, net]) => ({ coin: one, net })),
    };
  }

  /** Returns what was read of the day; null if it is of another account, which the connection may have had before. */
  #readOf({ id, account }: DayReading, startsAt: number): Read | null {
    const read = this.#read;
    if (read?.id !== id || read.startsAt !== startsAt) return null;
    return compareAccounts(read.account, account) === 'same' ? read : null;
  }

  async #sum(open: DayReading, startsAt: number, orders: readonly HistoryOrder[]): Promise<void> {
    const { history, contracts } = open.feeds();
    const from = startsAt + Math.round(open.clockOffsetMs() ?? 0);
    const read = {
      id: open.id,
      account: open.account,
      startsAt,
      history: orders,
      at: history.receivedAt ?? startsAt,
    };
    const summary = await open.summary(from);
    if (!summary.ok) {
      this.#read = { ...read, nets: new Map(), unknown: NO_ARCHIVE };
      return;
    }
    const coinOf = new Map(
      (contracts.value ?? []).map((one) => [one.symbolId, coinsOf(one).margin] as const),
    );
    const nets = netsOf(summary.data.results, coinOf);
    this.#read = { ...read, nets, unknown: doubtAbout(orders, from, summary.data, nets) };
  }
}

/** Returns why the sums may miss an order of the day; null if they do not. `orders`: the history as last read. */
function doubtAbout(
  orders: readonly HistoryOrder[],
  from: number,
  { results, basis }: Summary,
  nets: ReadonlyMap<string, string>,
): string | null {
  const unread = basis.leftOut.orders;
  if (unread > 0) return `${String(unread)} of today’s orders cannot be read.`;
  if (nets.has('')) return NO_COIN;
  if (mayBeLimited(orders.length) && orders.every((one) => one.orderTime >= from)) return MAY_BE_CUT;
  const filled = orders.filter(
    (one) => one.mtime >= from && one.tradeQuantity !== null && isPositive(amount(one.tradeQuantity)),
  );
  const summed = results.reduce((sum, one) => sum + one.orders, 0);
  return filled.length > summed ? NOT_STORED : null;
}

/** Sums by coin. An order that locked nothing may name no coin: its contract's then. */
function netsOf(
  results: Summary['results'],
  coinOf: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const nets = new Map<string, string>();
  const take = (coin: string, net: string): void =>
    void nets.set(coin, print(add(calculated(nets.get(coin) ?? '0'), calculated(net))));
  for (const one of results) {
    if (one.coin !== '') take(one.coin, one.net);
    else for (const { symbol, net } of one.contracts) take(coinOf.get(symbol) ?? '', net);
  }
  return nets;
}
