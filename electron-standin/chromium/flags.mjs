// Chromium's command line. It disables all network access of its own, prompts Electron would not show, and state
// shared between runs.
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
  // Custom schemes live below *.localhost (see protocol.mjs). A request that escaped the interception would find no
  // host rather than a server on this machine.
  '--host-resolver-rules=MAP *.localhost ~NOTFOUND',
  // The only value of setWebRTCIPHandlingPolicy that is supported (web-contents.mjs): for Chromium, and its headless shell.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  // Device choosers are browser windows, which no app could handle here: no devices at all.
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
  // The address bar's suggestions are separate pages: 600 ms of a core per window without an address bar.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

/** Under a driver, timers must not slow down when the window is not visible. */
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
  // By default the headless shell hints fonts fully: texts would be up to 2 % narrower than in a window.
  if (headless)
    flags.push('--headless=new', '--font-render-hinting=slight', '--disable-gpu', '--no-startup-window');
  else flags.push('--no-startup-window', '--disable-dev-shm-usage', `--class=${windowClass}`);
  if (noSandbox) flags.push('--no-sandbox');
  const off = new Set(FEATURES_OFF);
  for (const [name, value] of switches) {
    // Chromium uses only the last of these lists, so they are merged.
    if (name === 'disable-features') for (const feature of value.split(',')) off.add(feature);
    else flags.push(value === '' ? `--${name}` : `--${name}=${value}`);
  }
  flags.push(`--disable-features=${[...off].join(',')}`);
  return flags;
}
