/** The part of the archive the trade log asks: any sort and filter, totals, groups; what is built answers late. */
import type { Result } from '../../../src-shared/ipc/failures.ts';
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
}
type Input<M extends keyof LogRequests> = LogRequests[M]['input'];
type Answer<M extends keyof LogRequests> = LogRequests[M]['answer'];
type Ask = <M extends keyof LogRequests>(method: M, input: Input<M>) => Promise<Result<Answer<M>>>;

export interface LogArchive {
  /** A page in any order. A newer question for another list answers an older one `cancelled`. */
  list(query: Input<'list'>): Promise<Result<TradeWindow>>;
  /** Where a row stands in a list; null when it is not in it. */
  place(query: Input<'place'>): Promise<Result<number | null>>;
  listTotals(filter: TradeFilter): Promise<Result<TradeTotals>>;
  groups(query: Input<'groups'>): Promise<Result<TradeGroups>>;
  /** Share of what is being built for the list or its groups, 0…1; null when nothing is. */
  building(): Promise<Result<number | null>>;
}

export const logArchive = (ask: Ask): LogArchive => ({
  list: (query) => ask('list', query),
  place: (query) => ask('place', query),
  listTotals: (filter) => ask('listTotals', filter),
  groups: (query) => ask('groups', query),
  building: () => ask('building', null),
});
