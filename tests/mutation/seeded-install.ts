/** Mutants of lines that protect installers and update announcements. */
import { of, type Mutant } from './seeded.ts';

const PACKAGING = ['packaging/packaging.test.ts'];
const UPDATES = ['src-main/updates/updates.test.ts'];
const ANNOUNCEMENT = ['src-main/updates/announcement.test.ts'];

export const INSTALL: readonly Mutant[] = [
  ...of(
    'packaging/fuses.ts',
    PACKAGING,
    ['the app is no Node', '[FuseV1Options.RunAsNode]: false', '[FuseV1Options.RunAsNode]: true'],
    [
      'only the archive is loaded',
      '[FuseV1Options.OnlyLoadAppFromAsar]: true',
      '[FuseV1Options.OnlyLoadAppFromAsar]: false',
    ],
    ['the archive is checked', 'IntegrityValidation]: true', 'IntegrityValidation]: false'],
    ['a new fuse is decided about', 'strictlyRequireAllFuses: true', 'strictlyRequireAllFuses: false'],
  ),
  ...of(
    'packaging/contents.ts',
    PACKAGING,
    ['a stranger in a package is seen', '!lines.some((line) => line.name.test(name))', 'false'],
    ['a missing file is seen', 'found < least ||', ''],
  ),
  ...of('packaging/licences.ts', PACKAGING, [
    'nothing is shipped without its terms',
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
    ['nobody is asked unless it is wanted', 'if (this.#ports.wanted() && !isHeld)', 'if (!isHeld)'],
    [
      'nobody is asked while an order is open',
      'if (held !== null) return Promise.resolve(failed(held));',
      '',
    ],
    ['no page is opened while an order is open', 'if (held !== null) return failed(held);', ''],
    ['an older version is no update', 'isLater(found.data.version, this.#ports.version) ?', 'true ?'],
  ),
];
