import { unsupported } from './supported.mjs';

/** Rejects preferences that would weaken what the stand-in always enforces. */
export function checkPreferences(preferences) {
  const loosened = {
    nodeIntegration: true,
    nodeIntegrationInWorker: true,
    nodeIntegrationInSubFrames: true,
    sandbox: false,
    contextIsolation: false,
    webSecurity: false,
    allowRunningInsecureContent: true,
    webviewTag: true,
    experimentalFeatures: true,
    offscreen: true,
  };
  for (const [name, value] of Object.entries(loosened)) {
    if (preferences[name] === value) throw unsupported(`webPreferences.${name}: ${value}`);
  }
  const absent = [
    'partition',
    'session',
    'enableBlinkFeatures',
    'disableBlinkFeatures',
    'additionalArguments',
  ];
  for (const name of absent) {
    if (preferences[name] !== undefined) throw unsupported(`webPreferences.${name}`);
  }
}

/** Converts '#rgb', '#rrggbb' or Electron's '#aarrggbb' to Chromium's form. */
export function colorOf(text) {
  if (text === undefined) return undefined;
  const hex = /^#(?:([0-9a-f]{2})?([0-9a-f]{6})|([0-9a-f]{3}))$/i.exec(text);
  if (!hex) throw unsupported(`backgroundColor "${text}" (only #rgb, #rrggbb, #aarrggbb)`);
  const six = hex[2] ?? [...hex[3]].map((digit) => digit + digit).join('');
  const [r, g, b] = [0, 2, 4].map((at) => parseInt(six.slice(at, at + 2), 16));
  return { r, g, b, a: hex[1] === undefined ? 1 : parseInt(hex[1], 16) / 255 };
}
