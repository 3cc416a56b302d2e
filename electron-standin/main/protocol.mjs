// `protocol.handle` and what a session's webRequest says about a request, over Chromium's Fetch domain: every
// request of a page stops there until it was judged.
import { carriedModule } from './carried.mjs';
import { assertReady, runtime } from './runtime.mjs';
import { schemeOf, schemes, toElectron } from './address.mjs';

const handlers = new Map();
const assertSession = () => assertReady(new TypeError('Session can only be received when app is ready'));

export const protocol = carriedModule('protocol', {
  registerSchemesAsPrivileged(list) {
    if (runtime.ready)
      throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    for (const { scheme, privileges = {} } of list) {
      if (!privileges.standard || !privileges.secure) {
        throw new Error(`electron-standin carries only standard and secure schemes, unlike "${scheme}"`);
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

/** Whether pages may `fetch` the scheme of this address; Electron refuses it unless that was asked for. */
export const mayFetch = (url) => schemes.get(schemeOf(url))?.supportFetchAPI === true;

/** Whether this request is the business of a registered scheme; if so it must not reach the network. */
export function belongsToScheme(url) {
  return schemeOf(url) !== undefined;
}

/**
 * Asks the app's handler. Answers what Fetch.fulfillRequest wants, or null where the handler failed or there
 * is none, which the page sees as a network error, as in Electron.
 */
export async function answerByHandler(request) {
  const handler = handlers.get(schemeOf(request.url));
  if (!handler) return null;
  try {
    const response = await handler(requestOf(request));
    const body = Buffer.from(await response.arrayBuffer());
    // Cookies are of http and https alone.
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
