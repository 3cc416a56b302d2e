/** Dates the unreadable records of a reply: by their own time if readable, else by the requested window. */
import { parseJsonOrNull } from '../../src-shared/json.ts';
import type { CoverageGap, DatedUnreadable } from '../../src-shared/ipc/archive.ts';
import { isRecord, MAX_TIME } from '../../src-shared/exchange-api/fields.ts';
import type { UnreadableRecord } from '../../src-shared/exchange-api/replies.ts';
import type { TimeRange } from '../../src-shared/time.ts';
import { counted } from '../../src-shared/domain/display/counted.ts';

/** Adds a time range to each record. `field` names the record's time; `window` is the requested range. */
export const dateUnreadable = (
  records: readonly UnreadableRecord[],
  field: 'tradeTime' | 'orderTime',
  window: TimeRange,
): readonly DatedUnreadable[] => records.map((one) => ({ ...one, ...(timeIn(one.raw, field) ?? window) }));

function timeIn(raw: string, field: string): TimeRange | null {
  // The stored text may have been shortened, and is then no complete JSON.
  const source = parseJsonOrNull(raw);
  const given = isRecord(source) ? source[field] : null;
  const time = typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number.parseInt(given, 10) : given;
  return typeof time === 'number' && Number.isSafeInteger(time) && time >= 0 && time <= MAX_TIME
    ? { from: time, to: time }
    : null;
}

/** Returns one coverage gap per contract and time. */
export function gapsOf(records: readonly DatedUnreadable[]): CoverageGap[] {
  const alike = Map.groupBy(records, ({ from, to, symbolId }) => JSON.stringify([from, to, symbolId]));
  return [...alike.values()].map((some) => {
    const { from, to, symbolId } = some[0]!;
    const count = counted(some.length, 'record');
    return { from, to, symbol: symbolId, reason: `${count} of this time cannot be read.` };
  });
}
