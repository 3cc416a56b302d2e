/**
 * Assigns each seeker a distinct item that fits it. Null if one gets none, or if two that are not interchangeable could
 * swap. Interchangeable ones are assigned in order, so pass both sorted by time. Uses Kuhn's algorithm.
 */
export function distinctPairs<S, T>(
  seekers: readonly S[],
  fitting: (seeker: S) => readonly T[],
  interchangeable: (a: S, b: S) => boolean,
): ReadonlyMap<S, T> | null {
  const owner = new Map<T, S>();
  const place = (seeker: S, tried: Set<T>): boolean => {
    for (const thing of fitting(seeker)) {
      if (tried.has(thing)) continue;
      tried.add(thing);
      const before = owner.get(thing);
      if (before === undefined || place(before, tried)) {
        owner.set(thing, seeker);
        return true;
      }
    }
    return false;
  };
  for (const seeker of seekers) if (!place(seeker, new Set())) return null;
  const pairs = new Map([...owner].map(([thing, seeker]) => [seeker, thing]));

  // Two seekers could swap, directly or in a cycle, exactly when each reaches the other through items that fit.
  const reached = new Map(seekers.map((one) => [one, reachable(one, fitting, owner)]));
  for (const a of seekers)
    for (const b of reached.get(a) ?? [])
      if (reached.get(b)?.has(a) === true && !interchangeable(a, b)) return null;
  return pairs;
}

function reachable<S, T>(
  from: S,
  fitting: (seeker: S) => readonly T[],
  owner: ReadonlyMap<T, S>,
): ReadonlySet<S> {
  const met = new Set<S>();
  const path = [from];
  for (const one of path)
    for (const thing of fitting(one)) {
      const next = owner.get(thing);
      if (next === undefined || met.has(next)) continue;
      met.add(next);
      path.push(next);
    }
  return met;
}
