/**
 * Defines the page's content security policy and address (docs/safety.md). The renderer loads its own files only and
 * sends no requests.
 */
export const SCHEME = 'app';
export const HOST = 'bundle';
export const START_ADDRESS = `${SCHEME}://${HOST}/index.html`;

/** `svelte-trusted-html` is the policy Svelte 5 creates for its templates. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types svelte-trusted-html',
].join('; ');

/**
 * Reports whether a frame's address is the app's own. `developmentUrl` is the hot-reload server, never set in a
 * package.
 */
export function isOwnAddress(url: string, developmentUrl: string | null): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, host } = new URL(url);
  if (protocol === `${SCHEME}:` && host === HOST) return true;
  return developmentUrl !== null && new URL(url).origin === new URL(developmentUrl).origin;
}
