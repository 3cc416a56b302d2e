/**
 * Checks packaging without Electron's binaries: `npm run package:check`. Makes the Linux, macOS and Windows folders
 * from stubs with the configuration of `npm run package`, compares their content byte for byte, sets the fuses of a
 * synthetic binary, and starts the app from the packed archive.
 */
import { extractAll, extractFile, getRawHeader, listPackage } from '@electron/asar';
import { getCurrentFuseWire, FuseV1Options } from '@electron/fuses';
import { Arch, build, Platform } from 'electron-builder';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { configuration } from './builder.ts';
import { ARCHIVE, besideArchive, faultsOf, forbiddenTexts } from './contents.ts';
import { FUSES } from './fuses.ts';
import { exportPacked, startPacked } from './start-packed.ts';
import {
  MAC_FRAMEWORK,
  makeLinuxRuntime,
  makeMacRuntime,
  makeWindowsRuntime,
  PACKED_RUNTIME,
} from './stub-runtime.ts';

const ROOT = dirname(import.meta.dirname);
/** Maximum size of the packed archive in bytes; 3 MB when this was written, mostly fonts, scripts and licences. */
const MOST_BYTES = 6_000_000;

const scratch = await mkdtemp(join(tmpdir(), 'ballast-package-'));
let broken = 0;
function report(what: string, faults: readonly string[], figure = ''): void {
  if (faults.length > 0) broken++;
  console.log(`${faults.length === 0 ? '✓' : '✗'} ${what}${figure === '' ? '' : `: ${figure}`}`);
  for (const fault of faults.slice(0, 20)) console.log(`    ${fault}`);
}
const unless = (right: boolean, fault: string): string[] => (right ? [] : [fault]);

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

/** Runs electron-builder on a stub runtime, up to the folder an installer would be made of. */
async function pack(platform: Platform, makeRuntime: (folder: string) => void): Promise<string> {
  const electronDist = join(scratch, `runtime-${platform.name}`);
  const output = join(scratch, `dist-${platform.name}`);
  makeRuntime(electronDist);
  await build({
    targets: platform.createTarget('dir', Arch.x64),
    projectDir: ROOT,
    publish: 'never',
    config: {
      ...configuration(),
      electronDist,
      // Compiled for this system at installation; another system's build is not available here.
      npmRebuild: false,
      directories: { output, buildResources: 'resources' },
    },
  });
  return output;
}

/** Checks that the archive holds the unchanged build and nothing else. */
async function checkArchive(archive: string): Promise<void> {
  const entries = listPackage(archive, { isPack: false }).map((name) => name.slice(1).replaceAll('\\', '/'));
  const names = entries.filter((name) => !entries.some((other) => other.startsWith(`${name}/`)));
  const { size } = await stat(archive);
  report(
    'the archive holds what is listed, and nothing else',
    faultsOf(names, ARCHIVE),
    `${names.length} files`,
  );
  report(
    'size of the archive',
    unless(size < MOST_BYTES, `more than ${MOST_BYTES} bytes`),
    `${(size / 1e6).toFixed(2)} MB packed`,
  );

  const built = (await filesIn(join(ROOT, 'out')))
    .filter((name) => /^(?:main|preload|renderer)\//.test(name))
    .map((name) => `out/${name}`);
  const packed = new Set(names);
  const changed: string[] = built.filter((name) => !packed.has(name)).map((name) => `${name} is missing`);
  const forbidden: string[] = [];
  for (const name of names) {
    const bytes = extractFile(archive, name);
    // The builder removes what only npm reads in a manifest.
    if (!name.endsWith('package.json') && !bytes.equals(await readFile(join(ROOT, name))))
      changed.push(`${name} differs from the build`);
    if (/\.(?:js|cjs|json|html|css)$/.test(name))
      for (const text of forbiddenTexts(ROOT))
        if (bytes.includes(text)) forbidden.push(`${name} contains “${text}”`);
  }
  report('every file of the build is in it, byte for byte', changed, `${built.length} files`);
  report('no source map, no key, no path of this computer', forbidden);

  const manifest = JSON.parse(extractFile(archive, 'package.json').toString('utf8')) as Record<
    string,
    unknown
  >;
  const extra = ['devDependencies', 'scripts', 'build'].filter((key) => key in manifest);
  report('package.json lists no scripts and no tools', extra);
}

async function checkFuses(binary: string): Promise<void> {
  const wire = (await getCurrentFuseWire(binary)) as Readonly<Record<number, number>>;
  const all = Object.values(FuseV1Options).filter((fuse) => typeof fuse === 'number');
  const faults = all.flatMap((fuse) =>
    unless(
      String.fromCharCode(wire[fuse] ?? 0) === (FUSES[fuse] ? '1' : '0'),
      `${FuseV1Options[fuse]} is not ${FUSES[fuse] ? 'on' : 'off'}`,
    ),
  );
  report(`fuses of ${relative(dirname(dirname(binary)), binary)}`, faults, `${all.length} set`);
}

/**
 * Checks the archive header's hash in the signed program, which macOS and Windows verify and Linux does not.
 * `seal`: the file it is written in.
 */
async function checkSeal(archive: string, seal: string): Promise<void> {
  const { headerString } = getRawHeader(archive);
  const hash = createHash('sha256').update(headerString).digest('hex');
  const isIn = (await readFile(seal)).includes(hash);
  report(
    `${basename(seal)} holds the archive’s hash`,
    unless(isIn, `no ${hash} in it`),
    `SHA-256 ${hash.slice(0, 12)}…`,
  );
}

/**
 * Checks the desktop entry of an AppImage as electron-builder writes it, before it would fetch its tools. A desktop
 * finds the entry by the class Electron gives the window, `desktopName` of package.json.
 */
async function checkDesktopEntry(folder: string): Promise<void> {
  let entry = '';
  await build({
    targets: Platform.LINUX.createTarget('AppImage', Arch.x64),
    projectDir: ROOT,
    prepackaged: folder,
    publish: 'never',
    config: {
      ...configuration(),
      directories: { output: join(scratch, 'appimage'), buildResources: 'resources' },
    },
    effectiveOptionComputed(computed: { readonly desktop: string }) {
      entry = computed.desktop;
      return Promise.resolve(true);
    },
  });
  const wanted = [
    'Name=Ballast',
    'Exec=AppRun %U',
    'StartupWMClass=ballast',
    'Categories=Office;Finance;',
    'MimeType=text/csv;',
  ];
  const lines = entry.split('\n');
  const missing = wanted.filter((line) => !lines.includes(line)).map((line) => `“${line}” is missing`);
  report('the AppImage’s desktop entry matches the window', missing, `${wanted.length} lines`);
}

async function checkLinux(): Promise<void> {
  const folder = join(await pack(Platform.LINUX, makeLinuxRuntime), 'linux-unpacked');
  const archive = join(folder, 'resources', 'app.asar');
  const unlisted = faultsOf(await filesIn(folder), besideArchive(PACKED_RUNTIME));
  report('the folder holds what is listed, and nothing else', unlisted);
  await checkArchive(archive);
  await checkFuses(join(folder, 'ballast'));
  if (process.platform === 'linux') await checkDesktopEntry(folder);
  // The stand-in is a Linux program.
  if (process.platform !== 'linux') return;
  // Outside the project, so that only the package's files can be found.
  extractAll(archive, join(scratch, 'app'));
  const app = join(scratch, 'app');
  report('the app starts from the packed archive', await startPacked(app, scratch));
  report('an export runs from the packed archive', exportPacked(app, scratch));
}

async function checkMac(): Promise<void> {
  const contents = join(await pack(Platform.MAC, makeMacRuntime), 'mac', 'Ballast.app', 'Contents');
  await checkFuses(join(contents, MAC_FRAMEWORK));
  await checkSeal(join(contents, 'Resources', 'app.asar'), join(contents, 'Info.plist'));
  const plist = await readFile(join(contents, 'Info.plist'), 'utf8');
  const keepsTime = /<key>LSAppNapIsDisabled<\/key>\s*<true\/>/.test(plist);
  report('a hidden window keeps its timers', unless(keepsTime, 'LSAppNapIsDisabled is missing'));
}

async function checkWindows(): Promise<void> {
  const folder = join(await pack(Platform.WINDOWS, makeWindowsRuntime), 'win-unpacked');
  await checkFuses(join(folder, 'Ballast.exe'));
  await checkSeal(join(folder, 'resources', 'app.asar'), join(folder, 'Ballast.exe'));
}

const started = performance.now();
try {
  await checkLinux();
  // Windows makes no macOS folder, and macOS would sign it, which fails for a stub.
  if (process.platform === 'linux') await checkMac();
  await checkWindows();
} finally {
  await rm(scratch, { recursive: true, force: true });
}
console.log(`  in ${((performance.now() - started) / 1000).toFixed(1)} s`);
if (broken > 0) process.exitCode = 1;
