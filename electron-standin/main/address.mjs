// Maps custom schemes to addresses Chromium can navigate to: `app://bundle/x` is `https://bundle.app.localhost/x`
// there, standard and secure as registered. The app sees `app://` everywhere; only the page's own `location` does
// not.

/** @type {Map<string, { standard?: boolean, secure?: boolean }>} scheme → privileges */
export const schemes = new Map();

const INSIDE = /^https:\/\/([^/?#:]+)\.([a-z][a-z0-9+.-]*)\.localhost(?::443)?(?=[/?#]|$)/;

export function toChromium(address) {
  const match = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/i.exec(address);
  const scheme = match?.[1].toLowerCase();
  if (!match || !schemes.has(scheme)) return address;
  if (!/^[a-z0-9-]+$/i.test(match[2])) {
    throw new Error(`electron-standin supports only one plain host name in ${scheme}:// (got "${match[2]}")`);
  }
  const rest = match[3].startsWith('/') ? match[3] : `/${match[3]}`;
  return `https://${match[2].toLowerCase()}.${scheme}.localhost${rest}`;
}

export function toElectron(address) {
  const match = INSIDE.exec(address);
  if (!match || !schemes.has(match[2])) return address;
  return `${match[2]}://${match[1]}${address.slice(match[0].length)}`;
}

/** The scheme of an address inside Chromium that a protocol handler serves, or undefined. */
export function schemeOf(address) {
  const match = INSIDE.exec(address);
  return match && schemes.has(match[2]) ? match[2] : undefined;
}

/** Electron's `origin` of a frame; null for addresses without one. */
export function originOf(address) {
  const own = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]+)/i.exec(address);
  if (!own) return 'null';
  return own[1];
}
