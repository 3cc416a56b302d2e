const clock = {
  /**
   * @param {number} ms
   * @param {() => void} run
   * @returns {() => void} cancels it
   */
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Wraps fetch for a large download: limits the time to the first reply and between chunks, and reports progress. A
 * filtered host gives no reply for minutes.
 * @param {typeof globalThis.fetch} fetch
 * @param {{ timeoutMs: number, silentForMs: number, report: (received: number, total: number | null) => void,
 *   timers?: typeof clock }} options
 * @returns {(url: string, options?: RequestInit) => Promise<Response>} rejects with an error that names the host
 */
export function watchedFetch(fetch, { timeoutMs, silentForMs, report, timers = clock }) {
  return async (url, options = {}) => {
    const { host } = new URL(url);
    const ending = new AbortController();
    let inTime = () => {};
    const within = (/** @type {number} */ ms, /** @type {string} */ what) => {
      inTime();
      inTime = timers.after(ms, () => ending.abort(new Error(`${host} ${what} ${ms / 1000} s`)));
    };
    within(timeoutMs, 'did not answer within');
    /** @type {Response} */
    let response;
    try {
      response = await fetch(url, { ...options, signal: ending.signal });
    } catch (error) {
      throw ending.signal.aborted ? error : unreachable(host, error);
    } finally {
      inTime();
    }
    if (!response.ok || response.body === null) return response;
    const length = response.headers.get('content-length');
    const total = length === null ? null : Number.parseInt(length, 10);
    let received = 0;
    const counted = new TransformStream({
      start: () => within(silentForMs, 'went silent for'),
      transform(/** @type {Uint8Array} */ chunk, controller) {
        within(silentForMs, 'went silent for');
        received += chunk.length;
        report(received, total);
        controller.enqueue(chunk);
      },
      flush: () => inTime(),
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
  };
}

/**
 * @param {string} host
 * @param {unknown} error fetch's, which has the reason in its cause
 */
function unreachable(host, error) {
  const cause = error instanceof Error ? error.cause : undefined;
  const why = cause instanceof Error && 'code' in cause ? String(cause.code) : 'the request failed';
  return new Error(`${host} cannot be reached (${why})`, { cause: error });
}
