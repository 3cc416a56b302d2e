// Pauses every request of a page until it is judged: navigations by `will-navigate`, all of them by the session's
// webRequest; those of a registered scheme go to the app's handler.
import { PreventableEvent } from './supported.mjs';
import { respondByHandler, belongsToScheme, mayFetch } from './protocol.mjs';
import { toElectron } from './address.mjs';
import { reportFault } from './runtime.mjs';
import { webRequest } from './web-request.mjs';

const withoutHash = (url) => url.split('#', 1)[0];

// A browser requests an icon from every site; Electron does not, so the app's handler must not see it. The reply is
// how a Chromium window gets its icon.
const isBrowsersOwn = ({ request, resourceType }) =>
  resourceType === 'Other' &&
  belongsToScheme(request.url) &&
  new URL(request.url).pathname === '/favicon.ico';

export class PageNetwork {
  #session;
  #contents;
  #mainFrame;
  #icon;
  #expected;
  #current = 'about:blank';

  /** @param icon the window's own, as bytes of an image; undefined for none */
  constructor(session, mainFrame, contents, icon) {
    this.#session = session;
    this.#icon = icon;
    this.#mainFrame = mainFrame;
    this.#contents = contents;
    session.on('Fetch.requestPaused', (paused) => {
      this.#judge(paused).catch(reportFault);
    });
    const intercept = () => {
      const patterns = [{ urlPattern: '*', requestStage: 'Request' }];
      if (webRequest.wantsResponses()) patterns.push({ urlPattern: '*', requestStage: 'Response' });
      session.post('Fetch.enable', { patterns });
    };
    intercept();
    session.on('detached', webRequest.follow(intercept));
  }

  /** Marks the app's own navigation: Electron raises `will-navigate` only for those the page starts. */
  expect(chromiumUrl) {
    this.#expected = withoutHash(chromiumUrl);
  }
  navigated(chromiumUrl) {
    this.#current = withoutHash(chromiumUrl);
  }

  async #judge(paused) {
    const { requestId, request, frameId, resourceType, redirectedRequestId } = paused;
    if (paused.responseStatusCode !== undefined || paused.responseErrorReason !== undefined) {
      return this.#judgeResponse(paused);
    }
    if (
      resourceType === 'Document' &&
      frameId === this.#mainFrame &&
      !this.#mayNavigate(request.url, redirectedRequestId)
    ) {
      // 'Aborted' leaves the page where it is; any other reason would show Chromium's error page.
      return this.#fail(requestId, 'Aborted');
    }
    if (isBrowsersOwn(paused)) return this.#sendIcon(requestId);
    // Chromium names fetch and XMLHttpRequest alike, so both are rejected.
    if (/^(Fetch|XHR)$/.test(resourceType) && belongsToScheme(request.url) && !mayFetch(request.url))
      return this.#fail(requestId, 'Failed');
    const details = { ...paused, webContents: this.#contents };
    const verdict = await webRequest.beforeRequest(details);
    if (verdict.cancel) return this.#fail(requestId, 'BlockedByClient');
    if (!belongsToScheme(request.url)) return this.#session.send('Fetch.continueRequest', { requestId });
    const answer = await respondByHandler(request);
    if (!answer) return this.#fail(requestId, 'Failed');
    const headers = await webRequest.headersReceived(details, answer.responseCode, answer.responseHeaders);
    if (headers === null) return this.#fail(requestId, 'BlockedByClient');
    return this.#session.send('Fetch.fulfillRequest', { requestId, ...answer, responseHeaders: headers });
  }

  #sendIcon(requestId) {
    if (this.#icon === undefined)
      return this.#session.send('Fetch.fulfillRequest', { requestId, responseCode: 204 });
    const body = this.#icon.toString('base64');
    const responseHeaders = [{ name: 'content-type', value: 'image/png' }];
    return this.#session.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      responseHeaders,
      body,
    });
  }

  async #judgeResponse(paused) {
    const { requestId, responseStatusCode, responseHeaders, responseErrorReason } = paused;
    if (responseErrorReason !== undefined) return this.#fail(requestId, responseErrorReason);
    const details = { ...paused, webContents: this.#contents };
    const headers = await webRequest.headersReceived(details, responseStatusCode, responseHeaders);
    if (headers === null) return this.#fail(requestId, 'BlockedByClient');
    return this.#session.send('Fetch.continueResponse', {
      requestId,
      responseCode: responseStatusCode,
      responseHeaders: headers,
    });
  }

  #mayNavigate(url, redirected) {
    const target = withoutHash(url);
    if (redirected) return this.#ask('will-redirect', url);
    const ours = this.#expected === target;
    this.#expected = undefined;
    // A driver's reload can't be distinguished from the page's own: reloading the same document always passes.
    if (ours || target === this.#current) return true;
    return this.#ask('will-navigate', url);
  }

  #ask(name, chromiumUrl) {
    const url = toElectron(chromiumUrl);
    const frame = this.#contents.mainFrame;
    const event = new PreventableEvent({
      url,
      frame,
      initiator: frame,
      isMainFrame: true,
      isSameDocument: false,
    });
    this.#contents.emit(name, event, url, false, true);
    return !event.defaultPrevented;
  }

  #fail(requestId, errorReason) {
    return this.#session.send('Fetch.failRequest', { requestId, errorReason });
  }
}
