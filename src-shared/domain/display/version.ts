/** Versions as three numbers; what follows a hyphen is not compared. */
const partsOf = (version: string): number[] =>
  version.split('.').map((part) => Number.parseInt(part, 10) || 0);

/** Whether `version` comes after `than`, by number and not by text: 0.10.0 after 0.9.1. */
export function isLater(version: string, than: string): boolean {
  const before = partsOf(than);
  for (const [index, part] of partsOf(version).entries())
    if (part !== (before[index] ?? 0)) return part > (before[index] ?? 0);
  return false;
}
