/** Performs the set-up Electron requires before the app is ready. */
import { app } from 'electron';
import { identifyToWindows } from './app-identity.ts';
import { useProfile } from './startup-error.ts';
import { startedWith } from './opened-files.ts';
import { registerScheme } from './protocol.ts';
import { enableSandbox } from './sandbox.ts';

export interface StartState {
  /** Whether the profile is usable and no other instance runs on it; else the app ends by itself. */
  readonly mayStart: boolean;
  /** Whether pages run in Chromium's sandbox. */
  readonly sandboxed: boolean;
}

/** `isDevelopment`: the page comes from the hot-reload server, by network. */
export function beforeReady(isDevelopment: boolean): StartState {
  const usable = useProfile(process.env.BALLAST_PROFILE);
  const sandboxed = enableSandbox(app);
  // Chromium needs no network: requests leave by Node, the page comes from files. Without names and addresses neither
  // WebRTC, which the page's policy does not cover, nor a lookup can send out what a page shows (see also `confine`).
  if (!isDevelopment) app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND');
  identifyToWindows(app, process.platform);
  registerScheme();
  return { mayStart: usable && isOnlyInstance(), sandboxed };
}

function isOnlyInstance(): boolean {
  const isOnly = app.requestSingleInstanceLock(startedWith());
  if (!isOnly) app.quit();
  return isOnly;
}
