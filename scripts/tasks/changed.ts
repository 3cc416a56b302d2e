/** Selects what `npm test -- changed [BASE]` runs: the stages a change can affect, with their arguments. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { capture, root } from './process.ts';

async function git(...args: string[]): Promise<readonly string[]> {
  const { code, output } = await capture(['git', ...args]);
  if (code !== 0) throw new Error(`git ${args.join(' ')}: ${output}`);
  return output.split('\n').filter((line) => line !== '');
}

/** Existing files that differ from `base`, committed or not. */
async function changedFiles(base: string): Promise<readonly string[]> {
  const [since = base] = await git('merge-base', base, 'HEAD');
  const files = [
    ...(await git('diff', '--name-only', since)),
    ...(await git('ls-files', '--others', '--exclude-standard')),
  ];
  return [...new Set(files)].filter((file) => existsSync(join(root, file)));
}

/** On a branch: where it left main. On main: the uncommitted changes, or else the last commit. */
async function defaultBase(): Promise<string> {
  const [branch] = await git('rev-parse', '--abbrev-ref', 'HEAD');
  if (branch !== 'main') return 'main';
  return (await git('status', '--porcelain')).length > 0 ? 'HEAD' : 'HEAD~1';
}

/** Screens whose specs are not named after them. */
export const SPECS_OF: Readonly<Record<string, readonly string[]>> = {
  activity: ['order-reconciliation'],
  confirm: ['double-submit', 'states'],
  orders: ['resting-exposure', 'resting-ladder'],
  overview: ['profit'],
  positions: ['reverse'],
  settings: ['connections', 'data'],
  ticket: ['bad-input', 'reverse'],
};

/**
 * End-to-end specs for a change: changed specs, those of changed screens, and the main job when the app changed.
 * @param specs names of all specs, without `.spec.ts`
 */
export function specsFor(files: readonly string[], specs: readonly string[]): readonly string[] {
  const chosen = new Set<string>();
  for (const file of files) {
    if (file.endsWith('.md') || file.endsWith('.test.ts')) continue;
    if (file.endsWith('.spec.ts')) chosen.add(file);
    const [, feature] = /^src-renderer\/features\/([^/]+)\//.exec(file) ?? [];
    if (feature !== undefined)
      for (const name of [...specs.filter((one) => one.includes(feature)), ...(SPECS_OF[feature] ?? [])])
        chosen.add(`e2e/${name}.spec.ts`);
    if (/^(?:src-|resources\/)/.test(file)) chosen.add('e2e/main-job.spec.ts');
    if (/^electron-standin\/.*\.[cm]?js$/.test(file)) chosen.add('electron-standin/standin.spec.ts');
    if (/^(?:electron-standin|src-main\/app)\//.test(file)) chosen.add('e2e/display/main-job.spec.ts');
  }
  return [...chosen].filter((file) => existsSync(join(root, file))).sort();
}

export async function changedStages(base?: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const files = await changedFiles(base ?? (await defaultBase()));
  console.log(`${files.length} files changed${files.length === 0 ? ': nothing to run' : ''}`);
  const code = files.filter((file) => /\.(?:ts|svelte|mjs|cjs|js)$/.test(file));
  const specs = readdirSync(join(root, 'e2e'))
    .filter((file) => file.endsWith('.spec.ts'))
    .map((file) => basename(file, '.spec.ts'));
  const chosen = specsFor(files, specs);
  const display = chosen.filter((file) => file.startsWith('e2e/display/'));
  const window = chosen.filter((file) => !display.includes(file));
  return new Map<string, readonly string[]>([
    ...(files.length > 0 ? [['check', ['--files', ...files]] as const] : []),
    ...(code.length > 0 ? [['unit', ['related', '--run', ...code]] as const] : []),
    ...(window.length > 0 ? [['e2e', window] as const] : []),
    ...(display.length > 0 ? [['display', display] as const] : []),
  ]);
}
