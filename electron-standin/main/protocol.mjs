// `protocol.handle` and the effect of a session's webRequest, over Chromium's Fetch domain, which pauses every
// request of a page until it is judged.
import { supportedModule } from './supported.mjs';
import { assertReady, runtime } from './runtime.mjs';
import { schemeOf, schemes, toElectron } from './address.mjs';

const handlers = new Map();
const assertSession = () => assertReady(new TypeError('Session can only be received when app is ready'));

export const protocol = supportedModule('protocol', {
  registerSchemesAsPrivileged(list) {
    if (runtime.ready)
      throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    for (const { scheme, privileges = {} } of list) {
      if (!privileges.standard || !privileges.secure) {
        throw new Error(`electron-standin supports only standard and secure schemes, unlike "${scheme}"`);
      }
      schemes.set(scheme.toLowerCase(), privileges);
    }
  },
  handle(scheme, handler) {
    assertSession();
    if (!schemes.has(scheme)) {
      throw new Error(`electron-standin handles only schemes registered as privileged, unlike "${scheme}"`);
    }
    if (handlers.has(scheme)) throw new Error(`The scheme has been intercepted: ${scheme}`);
    handlers.set(scheme, handler);
  },
  unhandle(scheme) {
    assertSession();
    if (!handlers.delete(scheme)) throw new Error(`The scheme has not been registered: ${scheme}`);
  },
  isProtocolHandled(scheme) {
    assertSession();
    return handlers.has(scheme);
  },
});

function requestOf({ url, method, headers, postData }) {
  const body = method === 'GET' || method === 'HEAD' ? undefined : postData;
  return new Request(toElectron(url), { method, headers, ...(body === undefined ? {} : { body }) });
}

/** Reports whether pages may `fetch` the scheme of this address; Electron denies it unless it was requested. */
export const mayFetch = (url) => schemes.get(schemeOf(url))?.supportFetchAPI === true;

/** Reports whether this request belongs to a registered scheme and must not reach the network. */
export function belongsToScheme(url) {
  return schemeOf(url) !== undefined;
}

/**
 * Calls the app's handler. Returns the arguments of Fetch.fulfillRequest, or null where the handler failed or is
 * missing, which the page sees as a network error, as in Electron.
 */
export async function respondByHandler(request) {
  const handler = handlers.get(schemeOf(request.url));
  if (!handler) return null;
  try {
    const response = await handler(requestOf(request));
    const body = Buffer.from(await response.arrayBuffer());
    // Cookies exist for http and https only.
    const headers = [...response.headers].filter(([name]) => name !== 'set-cookie');
    const responseHeaders = headers.map(([name, value]) => ({ name, value }));
    return {
      responseCode: response.status,
      responsePhrase: response.statusText || undefined,
      responseHeaders,
      body: body.toString('base64'),
    };
  } catch (error) {
    process.stderr.write(
      `electron-standin: the handler of ${toElectron(request.url)} failed: ${error?.stack}\n`,
    );
    return null;
  }
}
