/** Compares versions as three numbers; text after a hyphen is ignored. */
const partsOf = (version: string): number[] =>
  version.split('.').map((part) => Number.parseInt(part, 10) || 0);

/** Reports whether `version` is newer than `than`, by number: 0.10.0 is newer than 0.9.1. */
export function isLater(version: string, than: string): boolean {
  const before = partsOf(than);
  for (const [index, part] of partsOf(version).entries())
    if (part !== (before[index] ?? 0)) return part > (before[index] ?? 0);
  return false;
}
