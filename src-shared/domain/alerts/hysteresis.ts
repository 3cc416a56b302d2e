/**
 * Decides when a lasting condition fires: at its threshold, again after the repeat interval, and anew only after it
 * cleared the band. A value that oscillates around its threshold fires once.
 */

/** `between` is below the threshold but inside the band. Null means unknown and changes nothing. */
export type Standing = 'over' | 'between' | 'clear' | null;

export interface Level {
  readonly raised: boolean;
  /** Wall clock in ms; null before the first. */
  readonly toldAt: number | null;
}
export const UNRAISED: Level = { raised: false, toldAt: null };

const MINUTE_MS = 60_000;

/** Reports whether the repeat interval has passed. `null` minutes means once each time it is raised. */
export function isDue(toldAt: number | null, now: number, repeatMinutes: number | null): boolean {
  if (toldAt === null || repeatMinutes === null) return true;
  // A clock that was set back must not silence an alert.
  return toldAt > now || now - toldAt >= repeatMinutes * MINUTE_MS;
}

/**
 * Returns the next level and whether the alert fires. `quiet` suppresses it for a more severe one but records it as
 * fired.
 */
export function judge(
  before: Level,
  standing: Standing,
  now: number,
  repeatMinutes: number | null,
  quiet = false,
): { readonly level: Level; readonly tell: boolean } {
  if (standing === null || standing === 'between') return { level: before, tell: false };
  if (standing === 'clear')
    return { level: before.raised ? { ...before, raised: false } : before, tell: false };
  const again = before.raised && repeatMinutes === null;
  const due = !again && isDue(before.toldAt, now, repeatMinutes);
  if (!due) return { level: before.raised ? before : { ...before, raised: true }, tell: false };
  return { level: { raised: true, toldAt: now }, tell: !quiet };
}
