/** Electron's fuses: switches in the binary that no command line or environment can change. */
import { flipFuses, FuseV1Options, FuseVersion, type FuseV1Config } from '@electron/fuses';

/**
 * All nine fuses, each decided. Strict: a new fuse of another Electron version fails the packaging until it is
 * listed.
 */
export const FUSES = {
  version: FuseVersion.V1,
  strictlyRequireAllFuses: true,
  // The signed app must not serve as a Node for other programs: children are utility processes.
  [FuseV1Options.RunAsNode]: false,
  // When on, Electron reads the system's keychain at every start (macOS, Windows: on its main thread), without our
  // time limits. Ballast stores no cookie: its page sends no request.
  [FuseV1Options.EnableCookieEncryption]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  // Verified by macOS and Windows; Linux has no such check.
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  // Ballast has no snapshot of its own.
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  // Pages come from app:// only.
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // Electron's default: bounds WebAssembly by guard pages. The page's policy forbids compiling any.
  [FuseV1Options.WasmTrapHandlers]: true,
} as const satisfies FuseV1Config;

/**
 * Writes the fuses into a packed app, before it is signed. `place` is the executable, on macOS the .app folder.
 * Rejects when the binary has a fuse that is not listed above, or none.
 */
export async function setFuses(place: string): Promise<void> {
  // A changed binary has lost its signature, which Apple's processors require. The publisher's signature follows.
  await flipFuses(place, { ...FUSES, resetAdHocDarwinSignature: process.platform === 'darwin' });
}
