/** Enables Chromium's sandbox for every page, unless the app was started without it. */
/** Switch also set by ELECTRON_DISABLE_SANDBOX and by an AppImage where user namespaces are forbidden. */
// oxlint-disable-next-line ballast/no-restricted-syntax -- read, never set
const WITHOUT = 'no-sandbox';

/** The used part of Electron's app. */
interface AppWithSandbox {
  readonly commandLine: { hasSwitch(name: string): boolean };
  enableSandbox(): void;
}

/**
 * Enables the sandbox; returns false if the app was started without it. Removing the switch this late would start pages
 * that fail or only appear sandboxed.
 */
export function enableSandbox(app: AppWithSandbox): boolean {
  if (app.commandLine.hasSwitch(WITHOUT)) return false;
  app.enableSandbox();
  return true;
}
