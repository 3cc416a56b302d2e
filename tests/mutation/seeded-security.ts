/** Mutants of lines that protect the window, the bridge, the secrets and the numbers. */
import { of, type Mutant } from './seeded.ts';

const APP = 'src-main/app';
const CHECKLIST = [`${APP}/checklist.test.ts`];
const POLICY = [`${APP}/content-security-policy.test.ts`, ...CHECKLIST];
const VAULT = ['src-main/vault/rules.test.ts'];

export const SECURITY: readonly Mutant[] = [
  ...of(
    `${APP}/window.ts`,
    CHECKLIST,
    ['the page is sandboxed', 'sandbox: true', 'sandbox: false'],
    ['page and preload are isolated', 'contextIsolation: true', 'contextIsolation: false'],
    ['no Node in the page', 'nodeIntegration: false', 'nodeIntegration: true'],
    ['web security stays on', 'webSecurity: true', 'webSecurity: false'],
    ['no webview', 'webviewTag: false', 'webviewTag: true'],
    ['requested permissions are denied', 'decide(false)', 'decide(true)'],
    [
      'permission checks are denied',
      'setPermissionCheckHandler(() => false)',
      'setPermissionCheckHandler(() => true)',
    ],
    ['the page cannot navigate', "page.on('will-navigate', (event) => stay(event, event.url));", ''],
    ['the page cannot be redirected', "page.on('will-redirect', (event) => stay(event, event.url));", ''],
    ['no second window', "({ action: 'deny' })", "({ action: 'allow' })"],
    ['nothing is downloaded', 'event.preventDefault());\n}', 'event);\n}'],
  ),
  ...of(
    `${APP}/content-security-policy.ts`,
    POLICY,
    ['the page sends nothing', "connect-src 'none'", "connect-src 'self'"],
    ['no inline script', "script-src 'self'", "script-src 'self' 'unsafe-inline'"],
    ['no text becomes markup', '"require-trusted-types-for \'script\'",', ''],
    ['no form is submitted', "form-action 'none'", "form-action 'self'"],
    ['the app’s own host only', '&& host === HOST) return true', ') return true'],
  ),
  ...of(`${APP}/page.ts`, CHECKLIST, [
    'only https is opened',
    "new URL(url).protocol !== 'https:'",
    "new URL(url).protocol === 'javascript:'",
  ]),
  ...of(
    `${APP}/protocol.ts`,
    CHECKLIST,
    ['every file carries the policy', "'content-security-policy': CONTENT_SECURITY_POLICY,", ''],
    ['only the app’s host is served', 'url.host === HOST && ', ''],
  ),
  ...of(`${APP}/files.ts`, POLICY, [
    'only file types a page needs are served',
    "'.woff2': 'font/woff2',",
    "'.woff2': 'font/woff2', '.json': 'application/json',",
  ]),
  ...of(`${APP}/log.ts`, POLICY, [
    'a secret is masked in the log',
    "masked.replaceAll(secret, '[redacted]')",
    'masked.replaceAll(secret, secret)',
  ]),
  ...of(`${APP}/log.ts`, POLICY, ['a mask is removed with its secret', 'masks.delete(holder)', 'holder']),
  ...of(
    'src-main/session/lock.ts',
    ['src-main/session/lock.test.ts'],
    ['the key is kept while an outcome is unknown', ' && this.#ports.unsettled(id) === 0', ''],
    ['the only copy of a key is kept', '!this.#ports.onlyCopy(id) && ', ''],
    ['the secret is unloaded when allowed', 'await open.unload();', ''],
    ['a cancelled unlock unlocks nothing', 'isLeft() ? failed(LEFT) : secret', 'secret'],
  ),
  ...of(
    'src-main/bridge/serve.ts',
    ['src-main/bridge/serve.test.ts'],
    ['only calls of its own page are served', 'event.sender === ports.page() &&', ''],
    ['only calls of the main frame are served', 'frame.parent === null &&', ''],
    ['only calls of the app’s address are served', 'ports.isOwnAddress(frame.url)', 'true'],
    ['an input is checked by its schema', 'if (!parsed.success) {', 'if (false) {'],
    [
      'an error’s message does not reach the page',
      "'Nothing was sent. The log has details; please report it.'",
      'String(error)',
    ],
  ),
  ...of('src-preload/index.ts', CHECKLIST, [
    'an event’s sender does not reach the page',
    '(_event: unknown, ',
    '(',
  ]),
  ...of(
    'src-shared/ipc/connections.ts',
    ['src-shared/ipc/calls.test.ts'],
    [
      'a key never leaves unencrypted',
      'if (!secure && !LOOPBACK.includes',
      'if (false && !LOOPBACK.includes',
    ],
    ['a NUL does not cut a secret', "text.includes('\\0')", 'false'],
  ),
  ...of(
    'src-main/vault/vault.ts',
    VAULT,
    ['a locked secret is not overwritten', 'if (known && before.value === null)', 'if (false)'],
    [
      'what another program stored is not overwritten',
      "if (typeof before.value === 'string' && fromItem(before.value) === null)",
      'if (false)',
    ],
    ['a secret is sent to its own address only', 'if (!isFor(bound, address))', 'if (false)'],
    ['a stored secret is read back', 'after.ok && after.value === item.data', 'after.ok'],
    [
      'an unconfirmed deletion is reported',
      "setNotice(result.value === true ? '' : UNCONFIRMED)",
      "setNotice('')",
    ],
  ),
  ...of(
    'src-main/archive/maintenance/restore.ts',
    ['src-main/archive/maintenance/restore.test.ts'],
    ['a damaged backup is refused', 'if (isDamage(error)) throw broken();', ''],
    ['the archive a restore replaces is kept', "aside = moveAside(file, 'replaced', now);", ''],
    ['a restore that fails leaves the archive', 'if (aside !== null) moveDatabase(aside, file);', ''],
  ),
  ...of(
    'src-main/bridge/data-handlers.ts',
    ['src-main/bridge/data-handlers.test.ts'],
    ['nothing is removed while an order is on its way', 'if (ports.isBusy())', 'if (false)'],
    ['no data is removed when a secret cannot be', 'if (!removed.ok) return removed;', ''],
  ),
  ...of(
    'src-main/vault/keychain.ts',
    VAULT,
    ['quitting does not wait for the keychain', '    this.#stopped = true;\n', ''],
    [
      'one call of the keychain at a time',
      'return this.#calls.run(async',
      'return Promise.resolve().then(async',
    ],
    ['a frozen keychain is given up', 'this.#end(GAVE_UP);', ''],
    [
      'waiting is shown',
      'setTimeout(() => this.#setState(WAITING), this.#waitingAfterMs)',
      'setTimeout(() => undefined, this.#waitingAfterMs)',
    ],
  ),
  ...of(
    'src-main/sync/request-limiter.ts',
    ['src-main/sync/request-limiter.test.ts', 'tests/sync/rate-limits.test.ts'],
    ['the rate limit blocks reads', 'Math.max(this.#limit.until(now), ', 'Math.max(0, '],
    ['half-open lets one probe through', 'if (this.#probing) return false;', ''],
    ['an open breaker blocks polls', 'if (!this.#mayStart(now)) {', 'if (false) {'],
    ['the breaker opens', 'failures.length >= FAILURES_TO_OPEN', 'false'],
  ),
  ...of(
    'src-main/portfolio/portfolio.ts',
    ['src-main/portfolio/portfolio.test.ts'],
    ['the lock ends all reading', 'if (this.#isLocked() || this.#stopped)', 'if (this.#stopped)'],
    ['practice is not read beside', "kind === 'live' && ", ''],
    ['an account is read once included', 'settings.portfolio === true && ', ''],
    ['an open connection is not read twice', ' && !session.isInUse(id)', ''],
    [
      'a secret that comes after the lock is dropped',
      'return this.#included.get(one.summary.id) === one;',
      'return true;',
    ],
  ),
  ...of(
    'src-shared/domain/portfolio/sums.ts',
    ['src-shared/domain/portfolio/sums.test.ts'],
    ['a partial sum is not whole', 'complete: known.length === parts.length &&', 'complete:'],
    ['a total without a coin is not whole', 'leftOut.length === 0,', 'true,'],
    ['typed rates are marked', 'estimate: times.length > 0,', 'estimate: false,'],
  ),
  ...of(
    'src-main/sync/feeds.ts',
    ['src-main/sync/feeds.test.ts', 'tests/sync/rate-limits.test.ts'],
    ['one poll of a resource in flight', 'inFlight.add(name);', ''],
  ),
  // got repeats a stream only if someone listens for it, so only the lint rule catches this one.
  ...of(
    'src-main/exchange/transport.ts',
    ['scripts/lint-rules.test.ts'],
    ['a request is never repeated', 'retry: { limit: 0 }', 'retry: { limit: 2 }'],
  ),
];
