/**
 * Returns `after` with each record that equals its counterpart in `before` replaced by that very object, or `before`
 * itself if nothing changed, so that readers by identity do nothing. For plain JSON; compares lists by index and
 * changes `after`.
 */
export const shareStructure = <T>(before: T, after: T): T => shared(before, after) as T;

function shared(before: unknown, after: unknown): unknown {
  if (!isRecord(before) || !isRecord(after) || Array.isArray(before) !== Array.isArray(after)) return after;
  const keys = Object.keys(after);
  let same = keys.length === Object.keys(before).length;
  for (const key of keys) {
    const [now, then] = [after[key], before[key]];
    if (now === then) continue;
    if (isRecord(now)) after[key] = shared(then, now);
    if (after[key] !== then) same = false;
  }
  return same ? before : after;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
