/** Writes down whose code and fonts a build holds, and under which terms: what About shows and the packages carry. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import type { Licence } from '../src-shared/ipc/calls-app.ts';

/** `…/node_modules/@scope/name/` of a module's path, by the innermost node_modules. */
const FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
/** What a builder adds of its own: `\0vite/preload-helper.js`. */
const HELPER = /^\0(vite|rolldown)\//;
/** Vite's file goes on with what its own program is made of, of which a page gets nothing. */
const OF_ITS_OWN = /^#+ Licenses of bundled dependencies$[^]*/m;
const TERMS = /^(?:licen[cs]e|copying)(?:\.(?:md|txt))?$/i;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** Throws when a package comes without its terms: then it must not be shipped. */
export function licenceOf(folder: string): Licence {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Manifest;
  const file = readdirSync(folder).find((one) => TERMS.test(one));
  if (license === undefined || file === undefined) throw new Error(`${name} ${version} has no licence file`);
  const text = readFileSync(join(folder, file), 'utf8').replace(OF_ITS_OWN, '').trim();
  return { name, version, licence: license, text };
}

/** Folders of the packages that modules are of; of a program's own modules none. */
export function packagesOf(modules: Iterable<string>, root: string): string[] {
  const found = new Set<string>();
  for (const module of modules) {
    const helper = HELPER.exec(module)?.[1];
    const folder = helper === undefined ? FOLDER.exec(module)?.[0] : join(root, 'node_modules', helper);
    if (folder !== undefined) found.add(folder);
  }
  return [...found];
}

const asText = (licences: readonly Licence[]): string =>
  licences
    .map(({ name, version, licence, text }) => `${name} ${version} (${licence})\n\n${text}\n`)
    .join(`\n${'─'.repeat(80)}\n\n`);

/**
 * For each of a build's parts; the parts are built one after another, so the last writes them all. `beside`: packages
 * that are shipped without being bundled.
 */
export function licences(root: string, beside: readonly string[]): Plugin {
  const all = new Map<string, Licence>();
  const add = (folder: string): void => {
    if (all.has(folder)) return;
    all.set(folder, licenceOf(folder));
  };
  for (const name of beside) add(join(root, 'node_modules', name));
  return {
    name: 'ballast:licences',
    apply: 'build',
    generateBundle() {
      for (const folder of packagesOf(this.getModuleIds(), root)) add(folder);
    },
    writeBundle() {
      const sorted = [...all.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));
      mkdirSync(join(root, 'out'), { recursive: true });
      writeFileSync(join(root, 'out', 'licences.json'), JSON.stringify(sorted));
      writeFileSync(join(root, 'out', 'licences.txt'), asText(sorted));
    },
  };
}
