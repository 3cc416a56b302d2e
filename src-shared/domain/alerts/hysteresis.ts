/**
 * When a condition that comes and goes is told: at its threshold, again after a pause while it lasts, and anew only
 * after it was over by more than a band. So a value that trembles at its threshold is told once.
 */

/** `between`: short of the threshold, yet inside the band. Null: not known now, which changes nothing. */
export type Standing = 'over' | 'between' | 'clear' | null;

export interface Level {
  readonly raised: boolean;
  /** Wall clock of the newest telling, ms; null before the first. */
  readonly toldAt: number | null;
}
export const UNRAISED: Level = { raised: false, toldAt: null };

const MINUTE_MS = 60_000;

/** Whether the pause since the newest telling has passed; `null` minutes: told once each time it is raised. */
export function isDue(toldAt: number | null, now: number, repeatMinutes: number | null): boolean {
  if (toldAt === null || repeatMinutes === null) return true;
  // A clock that was set back must not silence an alert for as long as it was set back by.
  return toldAt > now || now - toldAt >= repeatMinutes * MINUTE_MS;
}

/**
 * The level after one reading, and whether it is told now. `quiet`: something graver is told of the same thing in its
 * place; it then counts as told.
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
