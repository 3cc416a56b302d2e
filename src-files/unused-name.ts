import { existsSync } from 'node:fs';

/** Returns `<path>-<time>`, numbered where something has that name. `now`: wall clock, ms. */
export function unusedName(path: string, now: number): string {
  const stamped = `${path}-${new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')}`;
  let name = stamped;
  for (let n = 2; existsSync(name); n++) name = `${stamped}-${n}`;
  return name;
}
