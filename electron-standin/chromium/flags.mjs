// What Chromium is started with. Everything that would talk to the network on its own, ask a person something
// Electron would not ask, or remember one run in the next is off.
const QUIET = [
  '--no-first-run',
  '--no-default-browser-check',
  '--no-service-autorun',
  '--no-pings',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-component-extensions-with-background-pages',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-client-side-phishing-detection',
  '--disable-extensions',
  '--disable-sync',
  '--disable-quic',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-field-trial-config',
  '--disable-search-engine-choice-screen',
  '--disable-stack-profiler',
  '--disable-infobars',
  '--disable-back-forward-cache',
  '--disable-hang-monitor',
  '--hide-crash-restore-bubble',
  '--metrics-recording-only',
  '--password-store=basic',
  '--use-mock-keychain',
  // Custom schemes live below *.localhost (see protocol.mjs). Should a request of theirs ever slip past the
  // interception, it finds no host instead of whatever server this machine runs.
  '--host-resolver-rules=MAP *.localhost ~NOTFOUND',
  // Device choosers are browser windows of their own, which no app could answer here: no devices at all.
  '--disable-blink-features=WebUSB,WebHID,Serial,WebBluetooth',
];

const FEATURES_OFF = [
  'Translate',
  'MediaRouter',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'LensOverlay',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'AutofillServerCommunication',
  'PaintHolding',
  'GlobalMediaControls',
  'DialMediaRouteProvider',
  // The address bar's suggestions are pages of their own: 600 ms of a core at each window that has no address bar.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

/** Under a driver, timers must not slow down because no one looks at the window. */
const DRIVEN = [
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-ipc-flooding-protection',
  '--force-color-profile=srgb',
];

/**
 * @param {{ profile: string, headless: boolean, debugPort: boolean, noSandbox: boolean, windowClass: string,
 *   switches: Map<string, string> }} options `switches` are the app's and the driver's own; they win.
 */
export function chromiumFlags({ profile, headless, debugPort, noSandbox, windowClass, switches }) {
  const flags = [...QUIET, '--remote-debugging-pipe', `--user-data-dir=${profile}`];
  if (debugPort) flags.push('--remote-debugging-port=0', ...DRIVEN);
  // The headless shell hints fonts fully unless told: texts would be up to 2 % narrower than in a window.
  if (headless)
    flags.push('--headless=new', '--font-render-hinting=slight', '--disable-gpu', '--no-startup-window');
  else flags.push('--no-startup-window', '--disable-dev-shm-usage', `--class=${windowClass}`);
  if (noSandbox) flags.push('--no-sandbox');
  const off = new Set(FEATURES_OFF);
  for (const [name, value] of switches) {
    // Chromium keeps only the last of these lists: ours and theirs become one.
    if (name === 'disable-features') for (const feature of value.split(',')) off.add(feature);
    else flags.push(value === '' ? `--${name}` : `--${name}=${value}`);
  }
  flags.push(`--disable-features=${[...off].join(',')}`);
  return flags;
}
