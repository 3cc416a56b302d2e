/** electron-builder's configuration: what is packed, for whom, and under which locks. */
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
 * Of a macOS app for both processors two are made first, one for each, and joined: changed binaries would be signed
 * anew, each its own way, and nothing that differs can be joined. The joined one comes here too.
 */
const isHalf = ({ appOutDir }: AfterPackContext): boolean => /-(?:x64|arm64)-temp$/.test(appOutDir);

/** Of resources/ballast.desktop, without the lines that depend on where the app is installed. */
function desktopEntry(): Record<string, string> {
  const entry: Record<string, string> = {};
  for (const line of readFileSync(join(ROOT, 'resources', 'ballast.desktop'), 'utf8').split('\n')) {
    const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (key === undefined || value === undefined || /^(?:Type|Exec|Icon|Terminal)$/.test(key)) continue;
    entry[key] = value;
  }
  return entry;
}

export function configuration(): Configuration {
  const publisher = readPublisher();
  return {
    appId: APP_ID,
    copyright: 'MIT licence',
    directories: { output: 'dist', buildResources: 'resources' },
    // Only what runs. Libraries written in JavaScript are inside out/; keytar alone is loaded from node_modules.
    files: [
      'package.json',
      'out/licences.json',
      'out/{main,preload,renderer}/**/*',
      // The window's own on Linux (src-main/app/app-identity.ts).
      { from: 'resources/icons', to: 'resources/icons', filter: ['256x256.png'] },
      '!**/*.map',
      '!node_modules/!(keytar)/**',
      '!node_modules/keytar/!(package.json|LICENSE.md|lib|build)',
      '!node_modules/keytar/lib/!(keytar.js)',
      '!node_modules/keytar/build/!(Release)',
      '!node_modules/keytar/build/Release/!(keytar.node)',
    ],
    extraResources: [{ from: 'out/licences.txt', to: 'licences.txt' }],
    // What the app reads at run time about where its updates are announced (src-main/updates).
    extraMetadata: { updates: publisher.updates, homepage: publisher.homepage ?? undefined },
    asar: true,
    // A native module is loaded by the system, which reads no archive.
    asarUnpack: ['node_modules/keytar/**'],
    // The window's words are English; the system's own dialogs follow the system.
    electronLanguages: ['en-US'],
    afterPack: (context) => (isHalf(context) ? undefined : setFuses(executable(context))),
    // Nothing is uploaded from here, and no updater's file is written: see packaging/README.md.
    publish: null,
    artifactName: '${productName}-${version}-${os}-${arch}.${ext}',
    // The usual one of electron-builder 26 needs FUSE 2, which systems of today lack, and starts without a sandbox.
    toolsets: { appimage: '1.0.3' },
    linux: {
      target: ['deb', 'AppImage'],
      executableName: 'ballast',
      icon: 'resources/icons',
      category: 'Office;Finance',
      // Among the programs that can open a CSV, the usual one of nobody; Windows' installer would make it so.
      mimeTypes: ['text/csv'],
      maintainer: publisher.maintainer,
      synopsis: 'Hold and trade futures on one exchange',
      desktop: { entry: desktopEntry() },
    },
    mac: {
      target: [{ target: 'dmg', arch: 'universal' }],
      icon: 'resources/icon.icns',
      category: 'public.app-category.finance',
      fileAssociations: [{ ext: 'csv', name: 'Orders as CSV', role: 'Viewer', rank: 'Alternate' }],
      // Alerts and the search for an unknown outcome go on while the window is hidden: macOS would slow their timers.
      extendInfo: { LSAppNapIsDisabled: true },
      hardenedRuntime: true,
      gatekeeperAssess: false,
      entitlements: ENTITLEMENTS,
      entitlementsInherit: ENTITLEMENTS,
    },
    dmg: { sign: false },
    win: { target: ['nsis'], icon: 'resources/icon.ico' },
    // Per person, into a folder that can be chosen, and the profile stays when it is removed.
    nsis: { oneClick: false, allowToChangeInstallationDirectory: true, deleteAppDataOnUninstall: false },
  };
}
