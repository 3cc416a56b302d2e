/** Finds when a schedule by the calendar is due. */
import { inZone, readingAt } from './zoned-time.ts';
import { DAY_MS, MINUTE_MS } from '../../time.ts';

export const EVERY = ['day', 'week', 'month'] as const;
export interface Recurrence {
  /** A week begins on Monday, a month on the 1st. */
  readonly every: (typeof EVERY)[number];
  /** `06:30`, local time. */
  readonly at: string;
}

/** More days than lie between two occurrences. */
const MOST_DAYS = 33;

/** Returns the first occurrence after `after` in `zone`, ms. */
export function nextOccurrence({ every, at }: Recurrence, after: number, zone: string): number {
  const [hours = 0, minutes = 0] = at.split(':').map((part) => Number.parseInt(part, 10));
  const today = Math.floor(readingAt(after, zone) / DAY_MS) * DAY_MS;
  for (let ahead = 0; ahead < MOST_DAYS; ahead++) {
    const day = today + ahead * DAY_MS;
    const date = new Date(day);
    if (every === 'week' && date.getUTCDay() !== 1) continue;
    if (every === 'month' && date.getUTCDate() !== 1) continue;
    const moment = inZone(day + (hours * 60 + minutes) * MINUTE_MS, zone);
    if (moment > after) return moment;
  }
  throw new RangeError(`no day of every ${every}`);
}
