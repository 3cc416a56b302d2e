/** Electron's fuses: switches inside the binary that no command line or environment can turn back. */
import { flipFuses, FuseV1Options, FuseVersion, type FuseV1Config } from '@electron/fuses';

/**
 * All nine, each decided. Strict: a tenth that comes with another Electron fails the packaging until it is decided
 * here too.
 */
export const FUSES = {
  version: FuseVersion.V1,
  strictlyRequireAllFuses: true,
  // The signed app must not be a Node for whoever may start programs: children are utility processes.
  [FuseV1Options.RunAsNode]: false,
  // On, Electron itself asks the system's keychain at every start (macOS, Windows: on its main thread), where none of our
  // time limits hold. Ballast keeps no cookie: its page sends nothing, and none of its replies sets one.
  [FuseV1Options.EnableCookieEncryption]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  // Read by macOS and Windows; Linux has no such check.
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  // There is no snapshot of our own to load.
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  // Pages come from app:// only.
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // Electron's default: bounds of WebAssembly by guard pages. The page may not compile any (its policy).
  [FuseV1Options.WasmTrapHandlers]: true,
} as const satisfies FuseV1Config;

/**
 * Writes them into a packed app, before it is signed. `place` is the executable, on macOS the .app folder. Rejects
 * when the binary has a fuse that is not decided above, or none at all.
 */
export async function setFuses(place: string): Promise<void> {
  // A changed binary has lost its signature, and Apple's own processors run none without. One of the publisher's follows.
  await flipFuses(place, { ...FUSES, resetAdHocDarwinSignature: process.platform === 'darwin' });
}
