/**
 * Applies each mutant of seeded-*.ts to a copy of the sources, and runs the smallest test files on it. The copy is
 * in .cache/, inside the project, so that packages are resolved.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture, root, tool } from '../../scripts/tasks/process.ts';
import { INSTALL } from './seeded-install.ts';
import type { Mutant } from './seeded.ts';
import { SECURITY } from './seeded-security.ts';

const MUTANTS: readonly Mutant[] = [...SECURITY, ...INSTALL];
const copies = join(root, '.cache', 'mutants');
const copy = join(copies, String(process.pid));

/** Removes what a killed run left, which tools could take for project sources. */
function removeLeftovers(): void {
  for (const name of existsSync(copies) ? readdirSync(copies) : [])
    if (!isRunning(Number.parseInt(name, 10))) rmSync(join(copies, name), { recursive: true, force: true });
}
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function copySources(): void {
  mkdirSync(copy, { recursive: true });
  const files = [
    'package.json',
    'package-lock.json',
    'vitest.config.ts',
    'svelte.config.js',
    'tsconfig.json',
  ];
  const folders = readdirSync(root).filter((name) => name.startsWith('src-') || name === 'resources');
  for (const name of [...files, ...folders, 'scripts', 'packaging'])
    if (existsSync(join(root, name))) cpSync(join(root, name), join(copy, name), { recursive: true });
}

/** @param patience how many times longer than usual a test may take */
const test = (files: readonly string[], patience: number) =>
  capture([
    process.execPath,
    tool('vitest/vitest.mjs'),
    'run',
    '--root',
    copy,
    // Files that belong to no project would fail, and every mutant of theirs would seem caught.
    '--passWithNoTests',
    '--bail',
    '1',
    '--testTimeout',
    String(TIMEOUT_MS * patience),
    '--hookTimeout',
    String(TIMEOUT_MS * patience),
    ...new Set(files),
  ]);

/** A timeout on a busy machine is no catch: such a mutant is tried again with more patience. */
const tookTooLong = (output: string): boolean => /(?:Test|Hook) timed out in/.test(output);
const TIMEOUT_MS = 20_000;
const PATIENCE = 6;

type Fate = 'caught' | 'SURVIVED' | 'STALE';

/** Stale: its line is missing or ambiguous, so it tests nothing. */
async function tryOne({ file, line, becomes, tests }: Mutant): Promise<Fate> {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(line).length !== 2) return 'STALE';
  writeFileSync(
    path,
    source.replace(line, () => becomes),
  );
  try {
    const first = await test(tests, 1);
    const { code } = tookTooLong(first.output) ? await test(tests, PATIENCE) : first;
    return code === 0 ? 'SURVIVED' : 'caught';
  } finally {
    writeFileSync(path, source);
  }
}

/** Prints each mutant's result. @returns whether all were caught */
export async function runSeeded(): Promise<boolean> {
  const count: Record<Fate, number> = { caught: 0, SURVIVED: 0, STALE: 0 };
  try {
    removeLeftovers();
    copySources();
    // A test that fails anyway would catch every mutant.
    const before = await test(
      MUTANTS.flatMap(({ tests }) => tests),
      PATIENCE,
    );
    if (before.code !== 0) {
      console.log(before.output.slice(-4000));
      throw new Error('the tests fail without any mutant');
    }
    for (const mutant of MUTANTS) {
      const fate = await tryOne(mutant);
      count[fate]++;
      console.log(`${fate.padEnd(9)} ${mutant.protects.padEnd(46)} ${mutant.file}`);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  console.log(`seeded mutants caught             ${count.caught} of ${MUTANTS.length}`);
  console.log(`survived, or their line is gone   ${count.SURVIVED + count.STALE}`);
  return count.SURVIVED + count.STALE === 0;
}
