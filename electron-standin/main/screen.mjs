// The displays as Chromium reports them. Without a display there is one, large enough for the tests' windows.
import { supportedClass } from './supported.mjs';
import { assertReady, runtime } from './runtime.mjs';

const displayOf = ({ id, label, left, top, width, height, ...info }) =>
  Object.freeze({
    id: Number(id),
    label,
    scaleFactor: info.devicePixelRatio,
    rotation: info.orientation.angle,
    internal: info.isInternal,
    touchSupport: 'unknown',
    bounds: { x: left, y: top, width, height },
    workArea: { x: info.availLeft, y: info.availTop, width: info.availWidth, height: info.availHeight },
    size: { width, height },
    workAreaSize: { width: info.availWidth, height: info.availHeight },
  });

const NONE = {
  ...{ id: '1', label: 'electron-standin', left: 0, top: 0, width: 1920, height: 1080 },
  ...{ availLeft: 0, availTop: 0, availWidth: 1920, availHeight: 1080 },
  ...{ devicePixelRatio: 1, orientation: { angle: 0 }, isInternal: false },
};

let displays = [displayOf(NONE)];

/** Reads the displays once, before the app is ready: later changes are not seen. */
export async function readDisplays() {
  if (runtime.headless) return;
  const { screenInfos } = await runtime.chromium.connection.root.send('Emulation.getScreenInfos');
  displays = screenInfos.toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary)).map(displayOf);
}

/** The primary display, for the stand-in's own windows. */
export const display = () => displays[0];

const shared = (one, { x, y, width, height }) => {
  const across = Math.min(one.bounds.x + one.bounds.width, x + width) - Math.max(one.bounds.x, x);
  const down = Math.min(one.bounds.y + one.bounds.height, y + height) - Math.max(one.bounds.y, y);
  return across > 0 && down > 0 ? across * down : 0;
};

class Screen extends supportedClass('screen', [
  'display-added',
  'display-removed',
  'display-metrics-changed',
]) {
  getPrimaryDisplay = () => display();
  getAllDisplays = () => [...displays];
  getDisplayMatching = (bounds) => displays.toSorted((a, b) => shared(b, bounds) - shared(a, bounds))[0];
}

/** Electron rejects any use before 'ready', even reading a member. */
export const screen = new Proxy(new Screen(), {
  get(target, property) {
    if (typeof property !== 'symbol')
      assertReady(new Error("The 'screen' module can't be used before the app 'ready' event"));
    const value = Reflect.get(target, property);
    return typeof value === 'function' ? value.bind(target) : value;
  },
});
