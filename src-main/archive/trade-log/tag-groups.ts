/** Sums round trips by tag: one with two tags counts in both, and in the totals once. */
import { isSameTag, UNTAGGED, uniqueTags } from '../../../src-shared/domain/history/order-notes.ts';
import type { RoundTrip } from '../../../src-shared/domain/history/round-trips.ts';
import type { TradeGroupsQuery, TripGroup } from '../../../src-shared/ipc/trade-groups.ts';
import type { TripNotes } from '../notes/trip-notes.ts';
import type { PlainTripPorts } from './plain-trips.ts';
import type { Build } from './sorted-views.ts';
import { SumBook, type SumGroups } from './sum-book.ts';
import type { TripList } from './trips.ts';

/** Round trips computed per turn of the event loop. */
const TRIPS_PER_STEP = 500;
/** Round trips added in the column cache per turn. */
const PLAIN_PER_STEP = 5_000;

type TagQuery = Pick<TradeGroupsQuery, 'filter' | 'contracts'>;

/**
 * With tags in the filter only theirs are groups. The many without a tag are added in the column cache; the others are
 * computed by contract, so that each trade is read once.
 */
export function* tagGroups(
  ports: PlainTripPorts,
  list: TripList,
  notes: TripNotes,
  { filter, contracts }: TagQuery,
  groupOf: (trip: RoundTrip) => TripGroup,
): Build<SumGroups> {
  const book = new SumBook(contracts);
  const wanted = filter.noted?.tags ?? [];
  const isWanted = (tag: string): boolean => wanted.length === 0 || wanted.some((one) => isSameTag(one, tag));
  const tagsOf = (trip: number): readonly string[] => {
    const tags = uniqueTags((notes.get(trip) ?? []).flatMap((one) => one.tags));
    return (tags.length === 0 ? [UNTAGGED] : tags).filter(isWanted);
  };
  const rest = isWanted(UNTAGGED) ? yield* addUntagged(ports, list, notes, book) : list.byContract();
  for (let at = 0; at < rest.length; at += TRIPS_PER_STEP) {
    const some = Array.from(rest.subarray(at, at + TRIPS_PER_STEP));
    const trips = yield* list.trips(some);
    trips.forEach((trip, place) => book.addTrip(groupOf(trip), tagsOf(some[place]!)));
    yield 0.5 + (0.5 * at) / rest.length;
  }
  return book.result('tag', filter, true);
}

/** Adds the plain round trips without a tag and returns the others, by contract. */
function* addUntagged(
  ports: PlainTripPorts,
  list: TripList,
  notes: TripNotes,
  book: SumBook,
): Build<Uint32Array> {
  const all = list.byContract();
  const plain = yield* list.plain(ports);
  const rest = new Uint32Array(all.length);
  let size = 0;
  for (const [at, trip] of all.entries()) {
    const isTagged = notes.get(trip)?.some(({ tags }) => tags.length > 0) === true;
    if (isTagged || !plain.add(trip)) rest[size++] = trip;
    if (at % PLAIN_PER_STEP === PLAIN_PER_STEP - 1) yield (0.5 * at) / all.length;
  }
  for (const sums of plain.result()) book.addSummed(sums, UNTAGGED);
  return rest.subarray(0, size);
}
