/** Worker requests of the trade log: any sort and filter, totals, groups. Builds take time; `building` is their share. */
import type { Result } from '../../../src-shared/ipc/failures.ts';
import type { ProfitFinding } from '../../../src-shared/ipc/profit.ts';
import type {
  GroupContract,
  GroupSort,
  TradeGrouping,
  TradeGroups,
} from '../../../src-shared/ipc/trade-groups.ts';
import type {
  TradeFilter,
  TradePlace,
  TradeSort,
  TradeTotals,
  TradeWindow,
} from '../../../src-shared/ipc/trades.ts';

import type { ProfitQuery } from './profit-finding.ts';

interface Request<I, A> {
  readonly input: I;
  readonly answer: A;
}
interface Place {
  readonly filter: TradeFilter;
  readonly offset: number;
  readonly limit: number;
}
export interface LogRequests {
  list: Request<Place & { readonly sort: TradeSort }, TradeWindow>;
  place: Request<
    { readonly filter: TradeFilter; readonly sort: TradeSort; readonly row: TradePlace },
    number | null
  >;
  listTotals: Request<TradeFilter, TradeTotals>;
  groups: Request<
    Place & {
      readonly by: TradeGrouping;
      readonly sort: GroupSort;
      readonly zone: string;
      readonly contracts: readonly GroupContract[];
    },
    TradeGroups
  >;
  building: Request<null, number | null>;
  profit: Request<ProfitQuery, ProfitFinding>;
}
type Input<M extends keyof LogRequests> = LogRequests[M]['input'];
type Answer<M extends keyof LogRequests> = LogRequests[M]['answer'];
type SendRequest = <M extends keyof LogRequests>(method: M, input: Input<M>) => Promise<Result<Answer<M>>>;

export interface LogArchive {
  /** Returns a page in any order. A newer request for another list fails an older one with `cancelled`. */
  list(query: Input<'list'>): Promise<Result<TradeWindow>>;
  /** Returns a row's index in a list; null if it is not in it. */
  place(query: Input<'place'>): Promise<Result<number | null>>;
  listTotals(filter: TradeFilter): Promise<Result<TradeTotals>>;
  groups(query: Input<'groups'>): Promise<Result<TradeGroups>>;
  /** Returns the progress of building the list or its groups, 0…1; null if nothing is being built. */
  building(): Promise<Result<number | null>>;
  /** Finds out whether profits are before fees, and reads them so from now on. */
  profit(query: ProfitQuery): Promise<Result<ProfitFinding>>;
}

export const logArchive = (request: SendRequest): LogArchive => ({
  list: (query) => request('list', query),
  place: (query) => request('place', query),
  listTotals: (filter) => request('listTotals', filter),
  groups: (query) => request('groups', query),
  building: () => request('building', null),
  profit: (query) => request('profit', query),
});
