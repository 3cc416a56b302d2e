// Enforces permission handlers. Chromium asks no one here, so the handlers are called beforehand, once per
// permission, and Chromium gets the result. A handler that decides by address or time is therefore not reproduced
// faithfully; one that denies everything is.
import { runtime } from './runtime.mjs';

/** Electron's name → Chromium's descriptor name. */
const PERMISSIONS = {
  'clipboard-read': ['clipboard-read'],
  'clipboard-sanitized-write': ['clipboard-write'],
  'display-capture': ['display-capture'],
  fullscreen: [],
  geolocation: ['geolocation'],
  'idle-detection': ['idle-detection'],
  keyboardLock: ['keyboard-lock'],
  media: ['camera', 'microphone'],
  midi: ['midi'],
  midiSysex: ['midi-sysex'],
  notifications: ['notifications'],
  pointerLock: ['pointer-lock'],
  'speaker-selection': ['speaker-selection'],
  'storage-access': ['storage-access'],
  'top-level-storage-access': ['top-level-storage-access'],
  'window-management': ['window-management'],
  'screen-wake-lock': ['screen-wake-lock'],
  sensors: ['accelerometer', 'gyroscope', 'magnetometer', 'ambient-light-sensor'],
  'persistent-storage': ['persistent-storage'],
  'background-sync': ['background-sync', 'periodic-background-sync', 'background-fetch'],
  nfc: ['nfc'],
  'payment-handler': ['payment-handler'],
  'local-fonts': ['local-fonts'],
  'local-network-access': ['local-network-access', 'loopback-network', 'local-network'],
  'captured-surface-control': ['captured-surface-control'],
};

let requestHandler;
let checkHandler;

async function setPermission(descriptor, granted) {
  const permission = descriptor === 'midi-sysex' ? { name: 'midi', sysex: true } : { name: descriptor };
  try {
    await runtime.chromium.connection.root.send('Browser.setPermission', {
      permission,
      setting: granted ? 'granted' : 'denied',
    });
  } catch (error) {
    // A name this Chromium does not know needs no denial: its page can't request it either.
    if (!/Invalid PermissionDescriptor name/.test(error.message)) throw error;
  }
}

function judge(name, contents) {
  const origin = contents?.mainFrame.origin ?? '';
  const details = { requestingUrl: contents?.getURL() ?? '', isMainFrame: true, securityOrigin: origin };
  // Both are called, as for a page that checks before it requests. Without handlers Electron grants every request.
  const allowed = checkHandler ? checkHandler(contents, name, origin, details) : true;
  if (!requestHandler) return Promise.resolve(allowed);
  return new Promise((resolve) =>
    requestHandler(contents, name, (granted) => resolve(allowed && granted === true), details),
  );
}

/** Applies the handlers' verdicts; until a handler answers, the answer is no. */
async function applyPermissions(contents = null) {
  const pending = [];
  for (const [name, descriptors] of Object.entries(PERMISSIONS)) {
    let answered = false;
    const verdict = judge(name, contents).then((granted) => {
      answered = true;
      return Promise.all(descriptors.map((descriptor) => setPermission(descriptor, granted === true)));
    });
    pending.push(verdict);
    queueMicrotask(() =>
      queueMicrotask(() => {
        if (!answered) for (const descriptor of descriptors) pending.push(setPermission(descriptor, false));
      }),
    );
  }
  await Promise.all(pending);
}

let settled;
let queued = false;

/** Runs once for handlers set one after another: each takes a round trip for forty permissions. */
function applySoon() {
  if (queued || !runtime.ready) return;
  queued = true;
  settled = Promise.resolve().then(() => {
    queued = false;
    return applyPermissions();
  });
}

/** Settles once Chromium has the verdicts of the current handlers. */
export function permissionsSettled() {
  if (settled === undefined) applySoon();
  return settled;
}

export function setPermissionRequestHandler(handler) {
  requestHandler = handler ?? undefined;
  applySoon();
}

export function setPermissionCheckHandler(handler) {
  checkHandler = handler ?? undefined;
  applySoon();
}
