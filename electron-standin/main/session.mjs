// Electron's `session`, of which there is only the default one: permissions, downloads and requests of pages.
import { PreventableEvent, supportedClass, supportedModule, unsupported } from './supported.mjs';
import { setPermissionCheckHandler, setPermissionRequestHandler } from './permissions.mjs';
import { protocol } from './protocol.mjs';
import { assertReady, runtime } from './runtime.mjs';
import { webRequest } from './web-request.mjs';

const EVENTS = [
  'will-download',
  // No devices, extensions or spell checker here, so nothing can raise these.
  'select-hid-device',
  'select-serial-port',
  'select-usb-device',
  'hid-device-added',
  'hid-device-removed',
  'serial-port-added',
  'serial-port-removed',
  'usb-device-added',
  'usb-device-removed',
  'preconnect',
];

class Session extends supportedClass('session', EVENTS) {
  protocol = protocol;
  webRequest = webRequest.api;

  setPermissionRequestHandler(handler) {
    setPermissionRequestHandler(handler);
  }
  setPermissionCheckHandler(handler) {
    setPermissionCheckHandler(handler);
  }
  /** There are no devices: Chromium runs with WebUSB, WebHID, Serial and Bluetooth switched off. */
  setDevicePermissionHandler(handler) {
    if (handler !== null && typeof handler !== 'function') throw new TypeError('Expected a function or null');
  }
  setBluetoothPairingHandler(handler) {
    this.setDevicePermissionHandler(handler);
  }
  /** Screens can't be captured here: every request is denied, whatever the handler would choose. */
  setDisplayMediaRequestHandler(handler) {
    this.setDevicePermissionHandler(handler);
  }
  isPersistent() {
    return false;
  }
  getUserAgent() {
    return runtime.userAgent;
  }
  /** There is no spell checker, so there is nothing to fetch a dictionary for. */
  setSpellCheckerLanguages(languages) {
    if (!Array.isArray(languages)) throw new TypeError('Expected an array of languages');
  }
  setSpellCheckerEnabled() {}
  isSpellCheckerEnabled() {
    return false;
  }
  async clearCache() {
    // Nothing of a page is cached beyond its run: the profile is new at every start and removed at the end.
  }

  /** Cancels every download after raising the app's event, so that none reaches a disk. */
  watchDownloads() {
    const { root } = runtime.chromium.connection;
    root.post('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true });
    root.on('Browser.downloadWillBegin', ({ guid, url, suggestedFilename }) => {
      const item = supportedModule('DownloadItem', {
        getURL: () => url,
        getFilename: () => suggestedFilename,
      });
      const event = new PreventableEvent();
      this.emit('will-download', event, item, null);
      root.post('Browser.cancelDownload', { guid });
      if (!event.defaultPrevented)
        process.stderr.write(`electron-standin does not support downloads: cancelled ${url}\n`);
    });
  }
}

export const defaultSession = new Session();

export const session = supportedModule('session', {
  get defaultSession() {
    assertReady(new TypeError('Session can only be received when app is ready'));
    return defaultSession;
  },
  fromPartition() {
    throw unsupported('session.fromPartition');
  },
});
