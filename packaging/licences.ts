/** Writes the licences of the code and fonts in a build: About shows them and the packages carry them. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import type { Licence } from '../src-shared/ipc/calls-app.ts';

/** `…/node_modules/@scope/name/` of a module's path, by the innermost node_modules. */
const FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
/** A module the builder adds: `\0vite/preload-helper.js`. */
const HELPER = /^\0(vite|rolldown)\//;
/** The part of Vite's licence file about its own program, of which the page contains nothing. */
const OF_ITS_OWN = /^#+ Licenses of bundled dependencies$[^]*/m;
const TERMS = /^(?:licen[cs]e|copying)(?:\.(?:md|txt))?$/i;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** Throws when a package has no licence: it must not be shipped then. */
export function licenceOf(folder: string): Licence {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Manifest;
  const file = readdirSync(folder).find((one) => TERMS.test(one));
  if (license === undefined || file === undefined) throw new Error(`${name} ${version} has no licence file`);
  const text = readFileSync(join(folder, file), 'utf8').replace(OF_ITS_OWN, '').trim();
  return { name, version, licence: license, text };
}

/** Folders of the packages that modules belong to; none for a program's own modules. */
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
 * A plugin for each part of a build. The parts are built one after another, so the last one writes all licences.
 * `beside`: packages shipped without being bundled.
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
