/** electron-builder's configuration: the files packed, the targets, and the fuses. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AfterPackContext, Configuration } from 'electron-builder';
import { APP_ID } from '../src-main/app/app-identity.ts';
import { setFuses } from './fuses.ts';
import { readPublisher } from './publisher.ts';

const ROOT = dirname(import.meta.dirname);
const ENTITLEMENTS = 'packaging/entitlements.mac.plist';

/** The executable of a folder electron-builder has just filled; on macOS the .app. */
function executable({ appOutDir, electronPlatformName, packager }: AfterPackContext): string {
  const name = packager.appInfo.productFilename;
  if (electronPlatformName === 'darwin') return join(appOutDir, `${name}.app`);
  return join(appOutDir, electronPlatformName === 'win32' ? `${name}.exe` : 'ballast');
}

/**
 * Reports whether this is one half of a universal macOS app. The two halves are joined later, and fuses set on each
 * would be signed differently, which cannot be joined. The joined app is passed here too.
 */
const isHalf = ({ appOutDir }: AfterPackContext): boolean => /-(?:x64|arm64)-temp$/.test(appOutDir);

/** The entries of resources/ballast.desktop, without those that depend on where the app is installed. */
function desktopEntry(): Record<string, string> {
  const entry: Record<string, string> = {};
  for (const line of readFileSync(join(ROOT, 'resources', 'ballast.desktop'), 'utf8').split('\n')) {
    const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (key === undefined || value === undefined || /^(?:Type|Exec|Icon|Terminal)$/.test(key)) continue;
    entry[key] = value;
  }
  return entry;
}

/**
 * Packages of Debian and Ubuntu that the program needs: those of electron-builder, which these replace, and the last two.
 * Electron is linked with these and does not start without them; a computer without a desktop has neither. The version
 * names ALSA's own library, where others provide that name too.
 */
const DEB_DEPENDS = [
  ...['libgtk-3-0', 'libnotify4', 'libnss3', 'libxss1', 'libxtst6', 'xdg-utils', 'libatspi2.0-0', 'libuuid1'],
  ...['libsecret-1-0', 'libgbm1', 'libasound2 (>= 1.0.17)'],
];

export function configuration(): Configuration {
  const publisher = readPublisher();
  return {
    appId: APP_ID,
    copyright: 'MIT licence',
    directories: { output: 'dist', buildResources: 'resources' },
    // Only what runs. JavaScript libraries are bundled in out/; keytar alone is loaded from node_modules.
    files: [
      'package.json',
      'out/licences.json',
      'out/{main,preload,renderer}/**/*',
      // The window's icon on Linux (src-main/app/app-identity.ts).
      { from: 'resources/icons', to: 'resources/icons', filter: ['256x256.png'] },
      // The tray's icons (src-main/app/tray.ts).
      'resources/tray/*.png',
      '!**/*.map',
      '!node_modules/!(keytar)/**',
      '!node_modules/keytar/!(package.json|LICENSE.md|lib|build)',
      '!node_modules/keytar/lib/!(keytar.js)',
      '!node_modules/keytar/build/!(Release)',
      '!node_modules/keytar/build/Release/!(keytar.node)',
    ],
    extraResources: [{ from: 'out/licences.txt', to: 'licences.txt' }],
    // Where the app finds announcements of its updates (src-main/updates).
    extraMetadata: { updates: publisher.updates, homepage: publisher.homepage ?? undefined },
    asar: true,
    // The system loads a native module and cannot read an archive.
    asarUnpack: ['node_modules/keytar/**'],
    // The window's texts are English; the system's own dialogs follow the system.
    electronLanguages: ['en-US'],
    afterPack: (context) => (isHalf(context) ? undefined : setFuses(executable(context))),
    // Nothing is uploaded from here, and no updater file is written: see packaging/README.md.
    publish: null,
    artifactName: '${productName}-${version}-${os}-${arch}.${ext}',
    // The default of electron-builder 26 needs FUSE 2, which current systems lack, and starts without a sandbox.
    toolsets: { appimage: '1.0.3' },
    linux: {
      target: ['deb', 'AppImage'],
      executableName: 'ballast',
      icon: 'resources/icons',
      category: 'Office;Finance',
      // Offered for CSV files, but not the default program; Windows' installer would make it the default.
      mimeTypes: ['text/csv'],
      maintainer: publisher.maintainer,
      synopsis: 'Hold and trade futures on one exchange',
      desktop: { entry: desktopEntry() },
    },
    deb: { depends: DEB_DEPENDS },
    mac: {
      target: [{ target: 'dmg', arch: 'universal' }],
      icon: 'resources/icon.icns',
      category: 'public.app-category.finance',
      fileAssociations: [{ ext: 'csv', name: 'Orders as CSV', role: 'Viewer', rank: 'Alternate' }],
      // Alerts and order reconciliation run while the window is hidden: macOS would slow their timers.
      extendInfo: { LSAppNapIsDisabled: true },
      hardenedRuntime: true,
      gatekeeperAssess: false,
      entitlements: ENTITLEMENTS,
      entitlementsInherit: ENTITLEMENTS,
    },
    dmg: { sign: false },
    win: { target: ['nsis'], icon: 'resources/icon.ico' },
    // Installed per user, into a folder that can be chosen; uninstalling keeps the profile.
    nsis: { oneClick: false, allowToChangeInstallationDirectory: true, deleteAppDataOnUninstall: false },
  };
}
