/**
 * The names a package may hold. The check fails for an unlisted name and for a line that matches nothing. Hashes in
 * names are the builder's; the names before them are ours.
 */
export interface Line {
  readonly name: RegExp;
  /** How many files match it. */
  readonly count: readonly [least: number, most: number];
}
const one = (name: RegExp): Line => ({ name, count: [1, 1] });
const HASH = '-[\\w-]{8}';

const KEYTAR = [
  one(/^node_modules\/keytar\/package\.json$/),
  one(/^node_modules\/keytar\/LICENSE\.md$/),
  one(/^node_modules\/keytar\/lib\/keytar\.js$/),
  one(/^node_modules\/keytar\/build\/Release\/keytar\.node$/),
];

/** Inside app.asar. */
export const ARCHIVE: readonly Line[] = [
  one(/^package\.json$/),
  one(/^out\/licences\.json$/),
  one(/^resources\/icons\/256x256\.png$/),
  { name: /^resources\/tray\/(?:ok|unmonitored|caution|critical)(?:@2x)?\.png$/, count: [8, 8] },
  one(/^out\/main\/index\.js$/),
  one(/^out\/main\/archive-worker\.js$/),
  one(/^out\/main\/backup-worker\.js$/),
  one(/^out\/main\/keychain-process\.js$/),
  one(/^out\/main\/practice-worker\.js$/),
  { name: new RegExp(`^out/main/chunk-[a-z-]+${HASH}\\.js$`), count: [1, 20] },
  one(/^out\/preload\/index\.cjs$/),
  one(/^out\/renderer\/index\.html$/),
  { name: new RegExp(`^out/renderer/assets/[\\w-]+${HASH}\\.js$`), count: [3, 20] },
  { name: new RegExp(`^out/renderer/assets/[\\w-]+${HASH}\\.css$`), count: [1, 20] },
  {
    name: new RegExp(`^out/renderer/assets/(?:inter|jetbrains-mono)-[\\w-]+${HASH}\\.woff2$`),
    count: [2, 20],
  },
  ...KEYTAR,
];

/** Beside app.asar in the installed folder; Electron's own files are those of `runtime`. */
export const besideArchive = (runtime: readonly string[]): readonly Line[] => [
  one(/^ballast$/),
  one(/^resources\/app\.asar$/),
  one(/^resources\/licences\.txt$/),
  ...KEYTAR.map(({ name, count }) => ({
    name: new RegExp(name.source.replace('^', '^resources\\/app\\.asar\\.unpacked\\/')),
    count,
  })),
  ...runtime.map((name) => one(new RegExp(`^${name.replaceAll(/[.+]/g, '\\$&')}$`))),
];

/** Lists unexpected and missing names; empty when the content is as listed. */
export function faultsOf(names: readonly string[], lines: readonly Line[]): string[] {
  const unlisted = names.filter((name) => !lines.some((line) => line.name.test(name)));
  const counts = lines.flatMap(({ name, count: [least, most] }) => {
    const found = names.filter((each) => name.test(each)).length;
    return found < least || found > most
      ? [`${found} files match ${name.source}, not ${least} to ${most}`]
      : [];
  });
  return [...unlisted.map((name) => `${name} is not on the list`), ...counts];
}

/** Texts that no shipped file may contain: a source map, a key, the build folder. */
export const forbiddenTexts = (root: string): readonly string[] => [
  '//# sourceMappingURL=',
  'sourcesContent',
  'PRIVATE KEY-----',
  root,
];
