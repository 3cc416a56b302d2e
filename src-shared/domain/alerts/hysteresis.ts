/**
 * Decides when a lasting condition fires: at its threshold, and after each repeat interval while it lasts. Once the
 * value clears the band, the next crossing fires again. A value that oscillates around its threshold fires once.
 */
import { MINUTE_MS } from '../../time.ts';

/** `between` is below the threshold but inside the band. Null means unknown and changes nothing. */
export type Status = 'over' | 'between' | 'clear' | null;

export interface Level {
  readonly raised: boolean;
  /** Wall clock in ms; null before the first. */
  readonly lastFiredAt: number | null;
}
export const UNRAISED: Level = { raised: false, lastFiredAt: null };

/** Reports whether the repeat interval has passed. `null` minutes means once each time it is raised. */
export function isDue(lastFiredAt: number | null, now: number, repeatMinutes: number | null): boolean {
  if (lastFiredAt === null || repeatMinutes === null) return true;
  // A clock that was set back must not silence an alert.
  return lastFiredAt > now || now - lastFiredAt >= repeatMinutes * MINUTE_MS;
}

/** Returns the next level and whether the alert fires. */
export function evaluateLevel(
  before: Level,
  status: Status,
  now: number,
  repeatMinutes: number | null,
): { readonly level: Level; readonly fires: boolean } {
  if (status === null || status === 'between') return { level: before, fires: false };
  if (status === 'clear')
    return { level: before.raised ? { ...before, raised: false } : before, fires: false };
  const again = before.raised && repeatMinutes === null;
  const due = !again && isDue(before.lastFiredAt, now, repeatMinutes);
  if (!due) return { level: before.raised ? before : { ...before, raised: true }, fires: false };
  return { level: { raised: true, lastFiredAt: now }, fires: true };
}
