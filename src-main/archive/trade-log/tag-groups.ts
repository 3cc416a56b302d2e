/** Sums round trips by tag: one with two tags counts in both, and in the totals once. */
import { isSameTag, UNTAGGED, uniqueTags } from '../../../src-shared/domain/history/order-notes.ts';
import type { RoundTrip } from '../../../src-shared/domain/history/round-trips.ts';
import type { GroupContract, TripGroup } from '../../../src-shared/ipc/trade-groups.ts';
import type { TradeFilter } from '../../../src-shared/ipc/trades.ts';
import type { TripNotes } from '../notes/trip-notes.ts';
import type { Build } from './sorted-views.ts';
import { SumBook, type SumGroups } from './sum-book.ts';
import type { TripList } from './trips.ts';

/** Round trips computed per turn of the event loop. */
const TRIPS_PER_STEP = 500;

/** With tags in the filter only theirs are groups. Round trips are computed by contract, so each trade is read once. */
export function* tagGroups(
  list: TripList,
  notes: TripNotes,
  { filter, contracts }: { readonly filter: TradeFilter; readonly contracts: readonly GroupContract[] },
  groupOf: (trip: RoundTrip) => TripGroup,
): Build<SumGroups> {
  const book = new SumBook(contracts);
  const wanted = filter.noted?.tags ?? [];
  const isWanted = (tag: string): boolean => wanted.length === 0 || wanted.some((one) => isSameTag(one, tag));
  const all = list.byContract();
  for (let at = 0; at < all.length; at += TRIPS_PER_STEP) {
    const some = Array.from(all.subarray(at, at + TRIPS_PER_STEP));
    const trips = yield* list.trips(some);
    trips.forEach((trip, place) => {
      const tags = uniqueTags((notes.get(some[place]!) ?? []).flatMap((one) => one.tags));
      book.addTrip(groupOf(trip), (tags.length === 0 ? [UNTAGGED] : tags).filter(isWanted));
    });
    yield at / all.length;
  }
  return book.result('tag', filter, true);
}
