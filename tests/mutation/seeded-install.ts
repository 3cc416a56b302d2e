/** Mutants of lines that protect installers and update announcements. */
import { of, type Mutant } from './seeded.ts';

const PACKAGING = ['packaging/packaging.test.ts'];
const UPDATES = ['src-main/updates/updates.test.ts'];
const ANNOUNCEMENT = ['src-main/updates/announcement.test.ts'];

export const INSTALL: readonly Mutant[] = [
  ...of(
    'packaging/fuses.ts',
    PACKAGING,
    ['the app cannot run as Node', '[FuseV1Options.RunAsNode]: false', '[FuseV1Options.RunAsNode]: true'],
    [
      'only the archive is loaded',
      '[FuseV1Options.OnlyLoadAppFromAsar]: true',
      '[FuseV1Options.OnlyLoadAppFromAsar]: false',
    ],
    ['the archive’s hash is verified', 'IntegrityValidation]: true', 'IntegrityValidation]: false'],
    [
      'every new fuse is decided explicitly',
      'strictlyRequireAllFuses: true',
      'strictlyRequireAllFuses: false',
    ],
  ),
  ...of(
    'packaging/contents.ts',
    PACKAGING,
    ['an unlisted file in a package is reported', '!lines.some((line) => line.name.test(name))', 'false'],
    ['a missing file is reported', 'found < least ||', ''],
  ),
  ...of('packaging/licences.ts', PACKAGING, [
    'nothing is shipped without its licence',
    'if (license === undefined || file === undefined) throw',
    'if (license === undefined || file === undefined) void',
  ]),
  ...of('src-main/updates/announcement.ts', ANNOUNCEMENT, [
    'an announcement is signed',
    "if (!verify(null, text, key, Buffer.from(announcement.signature, 'base64')))",
    'if (false)',
  ]),
  ...of(
    'src-main/updates/updates.ts',
    UPDATES,
    [
      'no update check unless it is enabled',
      'if (!this.#ports.wanted()) return this.#checkAfter(DAY_MS);',
      '',
    ],
    [
      'no update check while an outcome is unknown',
      'if (held !== null) return Promise.resolve(failed(held));',
      '',
    ],
    ['no page is opened while an outcome is unknown', 'if (held !== null) return failed(held);', ''],
    ['an older version is no update', 'isLater(found.data.version, this.#ports.version) ?', 'true ?'],
  ),
];
