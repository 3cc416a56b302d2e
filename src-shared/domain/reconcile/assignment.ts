/**
 * Assigns each source a distinct candidate (bipartite matching, Kuhn's algorithm). Null if one gets none, or if two that
 * are not interchangeable could swap. Interchangeable ones are assigned in order, so pass both sorted by time.
 */
export function distinctPairs<S, T>(
  sources: readonly S[],
  candidatesOf: (source: S) => readonly T[],
  interchangeable: (a: S, b: S) => boolean,
): ReadonlyMap<S, T> | null {
  const owner = new Map<T, S>();
  const assign = (source: S, tried: Set<T>): boolean => {
    const candidates = candidatesOf(source);
    // One that is free first: taking another's would give the earlier source the later candidate.
    const free = candidates.find((one) => !owner.has(one));
    if (free !== undefined) {
      owner.set(free, source);
      return true;
    }
    for (const candidate of candidates) {
      const before = owner.get(candidate);
      if (before === undefined || tried.has(candidate)) continue;
      tried.add(candidate);
      if (!assign(before, tried)) continue;
      owner.set(candidate, source);
      return true;
    }
    return false;
  };
  for (const source of sources) if (!assign(source, new Set())) return null;
  const pairs = new Map([...owner].map(([candidate, source]) => [source, candidate]));

  // Two sources could swap, directly or in a cycle, exactly when each reaches the other through candidates.
  const reached = new Map(sources.map((one) => [one, reachable(one, candidatesOf, owner)]));
  for (const a of sources)
    for (const b of reached.get(a) ?? [])
      if (reached.get(b)?.has(a) === true && !interchangeable(a, b)) return null;
  return pairs;
}

function reachable<S, T>(
  from: S,
  candidatesOf: (source: S) => readonly T[],
  owner: ReadonlyMap<T, S>,
): ReadonlySet<S> {
  const seen = new Set<S>();
  const path = [from];
  for (const one of path)
    for (const candidate of candidatesOf(one)) {
      const next = owner.get(candidate);
      if (next === undefined || seen.has(next)) continue;
      seen.add(next);
      path.push(next);
    }
  return seen;
}
