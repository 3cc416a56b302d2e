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

export function beforeReady(): StartState {
  const usable = useProfile(process.env.BALLAST_PROFILE);
  const sandboxed = enableSandbox(app);
  identifyToWindows(app, process.platform);
  registerScheme();
  return { mayStart: usable && isOnlyInstance(), sandboxed };
}

function isOnlyInstance(): boolean {
  const isOnly = app.requestSingleInstanceLock(startedWith());
  if (!isOnly) app.quit();
  return isOnly;
}
