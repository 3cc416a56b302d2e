/** Times as a person types them, in the way the window writes them. */
import { timeText } from '../../components/time-text.ts';

const WRITTEN = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(:\d{2})?)?$/;

/** What a time field wants, for its placeholder and its message. */
export const TIME_FORM = 'YYYY-MM-DD HH:MM';

/** `2026-11-21 09:14`, seconds or the whole clock left out, in an IANA zone, as ms; null when it is no time. */
export function zonedTime(text: string, zone: string): number | null {
  const [, date, clock = '00:00', seconds = ':00'] = WRITTEN.exec(text.trim()) ?? [];
  if (date === undefined) return null;
  const asUtc = Date.parse(`${date}T${clock}${seconds}Z`);
  // A day that does not exist is refused or rolled over, by engine; neither is what was meant.
  if (Number.isNaN(asUtc) || !new Date(asUtc).toISOString().startsWith(date)) return null;
  const offsetAt = (ms: number): number => {
    const shown = timeText(ms, zone);
    return Date.parse(`${shown.date}T${shown.clock}Z`) - Math.floor(ms / 1_000) * 1_000;
  };
  // The offset at the guess, then at the corrected guess: they differ only across a change of the clocks.
  return asUtc - offsetAt(asUtc - offsetAt(asUtc));
}
