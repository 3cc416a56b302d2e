// session.webRequest: the two events that decide about a request, enforced in network.mjs. The six others throw.
import { supportedModule } from './supported.mjs';
import { toElectron } from './address.mjs';

let onBefore;
let onHeaders;
const pages = new Set();

function patternOf(text) {
  if (text === '<all_urls>') return /^/;
  const source = text.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${source}$`, 'i');
}

function subscription(filterOrListener, listener) {
  if (filterOrListener === null || listener === null) return undefined;
  if (typeof filterOrListener === 'function') return { listener: filterOrListener, matches: () => true };
  const { urls = [], excludeUrls = [], types } = filterOrListener;
  if (types !== undefined) throw new Error('electron-standin does not support a webRequest filter by types');
  const [wanted, unwanted] = [urls.map(patternOf), excludeUrls.map(patternOf)];
  const matches = (url) =>
    (wanted.length === 0 || wanted.some((p) => p.test(url))) && !unwanted.some((p) => p.test(url));
  return { listener, matches };
}

const TYPES = {
  Document: 'mainFrame',
  Stylesheet: 'stylesheet',
  Script: 'script',
  Image: 'image',
  Font: 'font',
  XHR: 'xhr',
  Fetch: 'xhr',
  Ping: 'ping',
  CSPViolationReport: 'cspReport',
  Media: 'media',
  WebSocket: 'webSocket',
};

const detailsOf = ({ requestId, request, resourceType, webContents }) => ({
  id: Number(requestId.replace(/\D/g, '')),
  url: toElectron(request.url),
  method: request.method,
  resourceType: TYPES[resourceType] ?? 'other',
  referrer: request.headers.Referer ?? '',
  timestamp: Date.now(),
  webContents,
  webContentsId: webContents.id,
  frame: webContents.mainFrame,
});

const ask = (listener, details) =>
  new Promise((resolve) => listener(details, (answer = {}) => resolve(answer)));

const api = supportedModule('WebRequest', {
  onBeforeRequest(filter, listener) {
    onBefore = subscription(filter, listener);
  },
  onHeadersReceived(filter, listener) {
    onHeaders = subscription(filter, listener);
    for (const refresh of pages) refresh();
  },
});

export const webRequest = {
  api,
  /** Responses are paused only while there is a listener. */
  wantsResponses: () => onHeaders !== undefined,
  /** @param refresh called when that changes, until the returned function is called */
  follow(refresh) {
    pages.add(refresh);
    return () => pages.delete(refresh);
  },
  async beforeRequest(paused) {
    const details = detailsOf(paused);
    if (!onBefore?.matches(details.url)) return { cancel: false };
    const { cancel = false, redirectURL } = await ask(onBefore.listener, details);
    if (redirectURL !== undefined)
      throw new Error('electron-standin does not support redirectURL of onBeforeRequest');
    return { cancel };
  },
  /** @returns the header list to continue with, or null if the app cancelled */
  async headersReceived(paused, statusCode, list) {
    const details = detailsOf(paused);
    if (!onHeaders?.matches(details.url)) return list;
    const responseHeaders = {};
    for (const { name, value } of list) (responseHeaders[name] ??= []).push(value);
    const statusLine = `HTTP/1.1 ${statusCode}`;
    const answer = await ask(onHeaders.listener, { ...details, statusCode, statusLine, responseHeaders });
    if (answer.cancel) return null;
    if (!answer.responseHeaders) return list;
    return Object.entries(answer.responseHeaders).flatMap(([name, values]) =>
      [values].flat().map((value) => ({ name, value: String(value) })),
    );
  },
};
