import { getCurrentFuseWire, FuseV1Options } from '@electron/fuses';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { APP_ID, profileFolder } from '../src-main/app/app-identity.ts';
import { configuration } from './builder.ts';
import { ARCHIVE, faultsOf } from './contents.ts';
import { FUSES, setFuses } from './fuses.ts';
import { licenceOf, packagesOf } from './licences.ts';
import { readPublisher } from './publisher.ts';
import { fakeBinary, SHIPPED_FUSES } from './stub-runtime.ts';

const folder = mkdtempSync(join(tmpdir(), 'ballast-packaging-'));
const binary = join(folder, 'electron');
afterEach(() => rmSync(binary, { force: true }));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

describe('fuses', () => {
  it('are all written as listed', async () => {
    writeFileSync(binary, fakeBinary());
    await setFuses(binary);
    const wire = (await getCurrentFuseWire(binary)) as Readonly<Record<number, number>>;
    const set = Array.from(SHIPPED_FUSES, (_, fuse) => String.fromCharCode(wire[fuse] ?? 0)).join('');
    expect(set).toBe('000011001');
    expect(FUSES[FuseV1Options.RunAsNode]).toBe(false);
  });

  it('reject a binary with an unlisted fuse', async () => {
    writeFileSync(binary, fakeBinary(`${SHIPPED_FUSES}1`));
    await expect(setFuses(binary)).rejects.toThrow(/fuse/i);
  });

  it('reject a binary without fuses', async () => {
    writeFileSync(binary, 'no wire in here');
    await expect(setFuses(binary)).rejects.toThrow();
  });
});

describe('what a package may hold', () => {
  const assets = ['index', 'later', 'charts'].map((name) => `out/renderer/assets/${name}-AbCd12_-.js`);
  const listed = [
    ...assets,
    'package.json',
    'out/licences.json',
    'resources/icons/256x256.png',
    ...['ok', 'unmonitored', 'caution', 'critical'].flatMap((level) => [
      `resources/tray/${level}.png`,
      `resources/tray/${level}@2x.png`,
    ]),
    ...['index', 'archive-worker', 'backup-worker', 'keychain-process', 'practice-worker'].map(
      (name) => `out/main/${name}.js`,
    ),
    'out/main/chunk-amount-BgGduJoX.js',
    'out/preload/index.cjs',
    'out/renderer/index.html',
    'out/renderer/assets/index-BqN2qPHd.css',
    ...[1, 2].map((at) => `out/renderer/assets/inter-latin-wght-normal-Dx4kXJA${at}.woff2`),
    ...['package.json', 'LICENSE.md', 'lib/keytar.js', 'build/Release/keytar.node'].map(
      (name) => `node_modules/keytar/${name}`,
    ),
  ];

  it('accepts listed files', () => {
    expect(faultsOf(listed, ARCHIVE)).toEqual([]);
  });

  it.each([
    'out/main/index.js.map',
    'out/.sources',
    'src-main/index.ts',
    'out/renderer/assets/later-AbCd12_-.js.map',
    'node_modules/got/package.json',
    'node_modules/keytar/src/main.cc',
    '.env',
  ])('reports %s as unlisted', (name) => {
    expect(faultsOf([...listed, name], ARCHIVE)).toEqual([`${name} is not on the list`]);
  });

  it('reports missing files', () => {
    expect(faultsOf(listed.slice(0, -1), ARCHIVE)).toHaveLength(1);
  });
});

it('the deb requires what electron-builder’s does, and the libraries that a computer without a desktop lacks', () => {
  const { depends } = configuration().deb ?? {};
  const target = join(import.meta.dirname, '../node_modules/app-builder-lib/out/targets/FpmTarget.js');
  const [, list] = /case "deb":\s+return (\["libgtk[^\]]*\])/.exec(readFileSync(target, 'utf8')) ?? [];
  const usual = JSON.parse(list ?? '') as string[];
  expect(depends).toEqual([...usual, 'libgbm1', 'libasound2 (>= 1.0.17)']);
});

describe('licences', () => {
  const ROOT = join(import.meta.dirname, '..');

  it('name every package a module belongs to, the innermost one', () => {
    const modules = [
      `${ROOT}/src-main/index.ts`,
      `${ROOT}/node_modules/got/dist/source/index.js`,
      `${ROOT}/node_modules/got/dist/source/create.js`,
      `${ROOT}/node_modules/@fontsource-variable/inter/wght.css`,
      `${ROOT}/node_modules/a/node_modules/b/index.js`,
      '\0vite/preload-helper.js',
    ];
    const names = packagesOf(modules, ROOT).map((path) => path.slice(`${ROOT}/node_modules/`.length));
    expect(names).toEqual(['got', '@fontsource-variable/inter', 'a/node_modules/b', 'vite']);
  });

  it('reject a package without a licence', () => {
    writeFileSync(join(folder, 'package.json'), '{"name":"bare","version":"1.0.0","license":"MIT"}');
    expect(() => licenceOf(folder)).toThrow('bare 1.0.0 has no licence file');
  });
});

describe('a macOS app for both processors', () => {
  const pack = async (appOutDir: string): Promise<void> => {
    const { afterPack } = configuration();
    if (typeof afterPack !== 'function') throw new Error('nothing is done after packing');
    const packager = { appInfo: { productFilename: 'Ballast' } };
    await afterPack({ appOutDir, electronPlatformName: 'darwin', packager } as never);
  };
  const framework = (appOutDir: string): string =>
    join(appOutDir, 'Ballast.app/Contents/Frameworks/Electron Framework.framework/Electron Framework');
  const wireOf = async (path: string): Promise<string> => {
    const wire = (await getCurrentFuseWire(path)) as Readonly<Record<number, number>>;
    return Array.from(SHIPPED_FUSES, (_, fuse) => String.fromCharCode(wire[fuse] ?? 0)).join('');
  };

  it('sets fuses on the joined app only, not on its halves', async () => {
    for (const [name, wire] of [
      ['mac-universal-x64-temp', SHIPPED_FUSES],
      ['mac-universal-arm64-temp', SHIPPED_FUSES],
      ['mac-universal', '000011001'],
    ] as const) {
      const path = framework(join(folder, name));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, fakeBinary());
      await pack(join(folder, name));
      expect(await wireOf(path), name).toBe(wire);
    }
  });
});

describe('the configuration', () => {
  it('makes an AppImage that needs no FUSE 2 and starts with its sandbox', () => {
    expect(configuration().toolsets).toEqual({ appimage: '1.0.3' });
  });

  it('names the window, the profile and the installers by constant ids', () => {
    const manifest = JSON.parse(
      readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'),
    ) as object;
    expect(manifest).toMatchObject({ productName: 'Ballast', desktopName: 'ballast.desktop' });
    expect(configuration()).toMatchObject({ appId: APP_ID, linux: { executableName: 'ballast' } });
    expect(profileFolder(undefined, { appData: 'x', switched: false })).toBe(join('x', 'ballast'));
  });

  it('uses macOS’ hardened runtime with JIT as the only exception', () => {
    const { mac } = configuration();
    expect(mac).toMatchObject({ hardenedRuntime: true, entitlements: 'packaging/entitlements.mac.plist' });
    const entitlements = readFileSync(join(import.meta.dirname, 'entitlements.mac.plist'), 'utf8');
    expect(entitlements.match(/<key>.*<\/key>/g)).toEqual(['<key>com.apple.security.cs.allow-jit</key>']);
  });

  it('does not become the default program for CSV files', () => {
    const { fileAssociations, win, mac } = configuration();
    expect([fileAssociations, win?.fileAssociations]).toEqual([undefined, undefined]);
    expect(mac?.fileAssociations).toMatchObject([{ ext: 'csv', role: 'Viewer', rank: 'Alternate' }]);
  });

  it('requires a complete update source or none', () => {
    expect(configuration().extraMetadata).toMatchObject({ updates: readPublisher().updates });
    expect(configuration().publish).toBeNull();
  });
});
