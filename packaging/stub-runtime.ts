/**
 * Makes a folder shaped like Electron's distribution, for machines without the real one: every file has its name
 * but not its content. Its binaries carry a fuse wire, so that packaging writes real fuses.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';

/** Marks the fuse wire in a binary (electron/electron, shell/…/fuses). */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** As Electron 45 ships them: run-as-node, NODE_OPTIONS, --inspect, file: privileges and guard pages on. */
export const SHIPPED_FUSES = '101100011';

/** Bytes around a wire: version 1, its length, one character per fuse. */
export const fakeBinary = (fuses = SHIPPED_FUSES): Buffer =>
  Buffer.concat([
    Buffer.alloc(4096, 'not a program '),
    Buffer.from(SENTINEL),
    Buffer.from([1, fuses.length]),
    Buffer.from(fuses, 'latin1'),
    Buffer.alloc(4096, 'not a program '),
  ]);

/** Files beside the binary on Linux, from Electron's list (script/zip_manifests) without those the builder removes. */
const LINUX_RUNTIME = [
  'LICENSE',
  'LICENSES.chromium.html',
  'chrome-sandbox',
  'chrome_100_percent.pak',
  'chrome_200_percent.pak',
  'chrome_crashpad_handler',
  'icudtl.dat',
  'libffmpeg.so',
  'libvk_swiftshader.so',
  'libvulkan.so.1',
  'locales/de.pak',
  'locales/en-US.pak',
  'resources.pak',
  'snapshot_blob.bin',
  'v8_context_snapshot.bin',
  'vk_swiftshader_icd.json',
];

/** The same after packing: the licence is renamed, and only the configured language stays. */
export const PACKED_RUNTIME = LINUX_RUNTIME.filter((name) => name !== 'locales/de.pak').map((name) =>
  name === 'LICENSE' ? 'LICENSE.electron.txt' : name,
);

function write(folder: string, name: string, content: string | Buffer, mode = 0o644): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode });
}

export function makeLinuxRuntime(folder: string): void {
  for (const name of LINUX_RUNTIME) write(folder, name, `${name}: a stub\n`);
  write(folder, 'electron', fakeBinary(), 0o755);
}

/** The file with the fuses of a macOS app, in its Contents. */
export const MAC_FRAMEWORK = 'Frameworks/Electron Framework.framework/Versions/A/Electron Framework';

const plist = (name: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
  <key>CFBundleExecutable</key><string>${name}</string>
  <key>CFBundleIdentifier</key><string>com.github.${name}</string>
  <key>CFBundleName</key><string>${name}</string>
</dict></plist>
`;

export function makeMacRuntime(folder: string): void {
  const app = join(folder, 'Electron.app');
  const bundle = (place: string, name: string): void => {
    write(place, 'Contents/Info.plist', plist(name));
    write(place, `Contents/MacOS/${name}`, 'a stub', 0o755);
  };
  bundle(app, 'Electron');
  write(app, 'Contents/Resources/electron.icns', 'a stub');
  write(app, 'Contents/Resources/en.lproj/locale.pak', 'a stub');
  for (const kind of ['', ' (GPU)', ' (Plugin)', ' (Renderer)'])
    bundle(join(app, `Contents/Frameworks/Electron Helper${kind}.app`), `Electron Helper${kind}`);
  const framework = join(app, 'Contents/Frameworks/Electron Framework.framework');
  write(framework, 'Versions/A/Electron Framework', fakeBinary(), 0o755);
  write(framework, 'Versions/A/Resources/en.lproj/locale.pak', 'a stub');
  symlinkSync('A', join(framework, 'Versions/Current'));
  for (const name of ['Electron Framework', 'Resources'])
    symlinkSync(`Versions/Current/${name}`, join(framework, name));
}

/** A program without code but with the resources of an .exe, where the archive's hash is written. */
function emptyProgram(): Buffer {
  const program = NtExecutable.createEmpty(false, false);
  const resources = NtExecutableResource.from(program);
  const version = Resource.VersionInfo.createEmpty();
  version.setStringValues({ lang: 1033, codepage: 1200 }, { ProductName: 'Electron' });
  version.outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  return Buffer.from(program.generate());
}

export function makeWindowsRuntime(folder: string): void {
  write(folder, 'electron.exe', Buffer.concat([emptyProgram(), fakeBinary()]));
  write(folder, 'locales/en-US.pak', 'a stub');
}
