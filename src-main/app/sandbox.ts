/** Chromium's sandbox: held for every page, unless the app was started without it. */
/** Also set by ELECTRON_DISABLE_SANDBOX, and by an AppImage where user namespaces are forbidden. */
// eslint-disable-next-line no-restricted-syntax -- asked about, never set
const WITHOUT = 'no-sandbox';

/** What is used of Electron's app. */
interface AppWithSandbox {
  readonly commandLine: { hasSwitch(name: string): boolean };
  enableSandbox(): void;
}

/**
 * False when the app runs without a sandbox. `enableSandbox` would take the switch off after the zygote was started
 * without one, and pages would fail to start, or be called confined when they are not.
 */
export function enableSandbox(app: AppWithSandbox): boolean {
  if (app.commandLine.hasSwitch(WITHOUT)) return false;
  app.enableSandbox();
  return true;
}
