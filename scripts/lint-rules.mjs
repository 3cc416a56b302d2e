// What oxlint.config.ts and eslint.config.js share: the choices beyond the presets, and the project's own rules. A rule's
// options are replaced instead of added to, so each file's list of bans is built in one place, by its folder.

/** @typedef {Record<string, 'off' | 'error' | ['error', ...object[]]>} Rules */

/**
 * Of the typescript-eslint presets, and beyond them.
 * @type {Rules}
 */
export const chosenRules = {
  eqeqeq: 'error',
  'no-console': 'error',
  'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
  complexity: ['error', { max: 20, variant: 'modified' }],
  'no-eval': 'error',
  'no-new-func': 'error',
  '@typescript-eslint/consistent-type-imports': 'error',
  '@typescript-eslint/switch-exhaustiveness-check': [
    'error',
    { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: false },
  ],
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  // Allowed after an index only: see the bans below.
  '@typescript-eslint/no-non-null-assertion': 'off',
  // `() => sideEffect()` and `return stop()` are said on purpose.
  '@typescript-eslint/no-confusing-void-expression': 'off',
  // The compiler refuses enums (erasableSyntaxOnly), so there is none of ours to assign to.
  '@typescript-eslint/no-unsafe-enum-assignment': 'off',
  // `void value` makes an effect depend on it.
  '@typescript-eslint/no-meaningless-void-operator': 'off',
  // A name used once in a signature still ties it to the contract's table.
  '@typescript-eslint/no-unnecessary-type-parameters': 'off',
};

/** @typedef {{ selector: string, message: string }} Ban */
/** @typedef {{ files: string[], ignores: string[], rules: Rules }} FileRules */

const named = (/** @type {string} */ pattern) => `Identifier[name=/^(?:${pattern})$/]`;
const keyed = (/** @type {string} */ pattern) => `Literal[value=/^(?:${pattern})$/]`;
const ban = (/** @type {string} */ selector, /** @type {string} */ message) => ({ selector, message });

/** Bans a name in any position: a variable, a member, a key in brackets, a destructured property. */
const banName = (/** @type {string} */ pattern, /** @type {string} */ message) => [
  ban(named(pattern), message),
  ban(keyed(pattern), message),
];

const EXACT =
  'Money is exact: use Amount (src-shared/amount.ts). Files that parse integers are listed in scripts/lint-rules.mjs.';
const money = [
  ban('CallExpression[callee.name="Number"]', EXACT),
  ban('CallExpression[callee.name="parseFloat"]', EXACT),
  ban('CallExpression[callee.property.name="parseFloat"]', EXACT),
  ban('CallExpression[callee.property.name="toNumber"]', EXACT),
  ban('UnaryExpression[operator="+"]:not([argument.type="Literal"])', EXACT),
  ban('CallExpression[callee.property.name="map"] > Identifier[name=/^(?:Number|parseFloat)$/]', EXACT),
];

const TEXT_AS_CODE = 'Text is never run as code.';
const CONFINED = 'The page must stay fully sandboxed: see Electron’s security checklist in SECURITY.md.';
/** Bans a setting, plain or quoted, with any value but the safe one. */
const unless = (/** @type {string} */ names, /** @type {boolean} */ safe) =>
  ['key.name', 'key.value'].map((key) =>
    ban(`Property[${key}=/^(?:${names})$/]:not([value.value=${safe}])`, CONFINED),
  );
const confinement = [
  ...unless('sandbox|contextIsolation|webSecurity', true),
  ...unless(
    'nodeIntegration|nodeIntegrationInWorker|nodeIntegrationInSubFrames|allowRunningInsecureContent|webviewTag|experimentalFeatures|navigateOnDragDrop',
    false,
  ),
  // Chart.js has an option of this name, but never with the value true.
  ban('Property[key.name="plugins"][value.value=true]', CONFINED),
  ...banName('enableBlinkFeatures|allowpopups|enableRemoteModule', CONFINED),
  ban('Literal[value=/^(?:--)?(?:no-sandbox|disable-web-security|remote-debugging-port)/]', CONFINED),
];

const everywhere = [
  ban(
    'TSNonNullExpression:not(:has(> MemberExpression[computed=true]))',
    'Only an index whose bound was just checked may be asserted by "!".',
  ),
  ban(
    'TSAsExpression > TSAsExpression[typeAnnotation.type="TSUnknownKeyword"]',
    'No cast to silence a checker.',
  ),
  ...banName('executeJavaScript', 'Code made of text is never run in the window.'),
  ...banName(
    'findCredentials',
    'findCredentials crashes its process on a locked keyring: read one item by its name.',
  ),
  ban('NewExpression[callee.name="Function"]', TEXT_AS_CODE),
  ban('CallExpression[callee.name=/^(?:Function|eval)$/]', TEXT_AS_CODE),
  ban('CallExpression[callee.type="SequenceExpression"]', TEXT_AS_CODE),
  ban('MemberExpression[property.name=/^(?:eval|Function)$/]', TEXT_AS_CODE),
  ban('ImportDeclaration[source.value=/^(?:node:)?vm$/]', TEXT_AS_CODE),
  ...confinement,
];

const openExternal = banName(
  'openExternal',
  'Addresses are opened by src-main/app/page.ts only, by its allow-list.',
);
const ONCE = 'Only src-main/exchange/transport.ts sends requests, so that nothing is sent twice.';
const KEYTAR = 'keytar runs in its own process: src-main/vault/keychain-process.ts.';
const imported = (/** @type {string} */ name, /** @type {string} */ message) =>
  ['ImportDeclaration', 'ImportExpression', 'ExportNamedDeclaration'].map((kind) =>
    ban(`${kind}[source.value="${name}"]`, message),
  );
const gotElsewhere = [
  ...imported('got', ONCE),
  ban('Property[key.name="retry"][value.type=/^(?:Object|Literal)/]', ONCE),
];
/** got's defaults are unsafe: it repeats a GET twice and follows redirects with body and key. */
const gotSettings = [
  ban('Property[key.name="retry"]:not([value.type="ObjectExpression"])', ONCE),
  ban('Property[key.name="retry"] > ObjectExpression > Property:not([key.name="limit"])', ONCE),
  ban('Property[key.name="retry"] > ObjectExpression[properties.length=0]', ONCE),
  ban('Property[key.name="limit"]:not([value.value=0])', ONCE),
  ban('Property[key.name="followRedirect"]:not([value.value=false])', ONCE),
  ban('Property[key.name=/^(?:cookieJar|cache|hooks|rejectUnauthorized)$/]', ONCE),
];
const keytarElsewhere = imported('keytar', KEYTAR);
const withoutWaiting = ['node:fs', 'node:fs/promises'].map((source) =>
  ban(
    `ImportDeclaration[source.value="${source}"] > ImportSpecifier[imported.name=/^(?:rename|rm|rmdir|unlink)(?:Sync)?$/]`,
    'On Windows a scanner may hold the file for a moment: src-files/rename.ts and remove.ts wait.',
  ),
);
const ipcMain = banName('ipcMain', 'Channels are served by src-main/bridge only, which checks the sender.');
const ownBridge = ban(
  'MemberExpression[property.name="ballast"]',
  'window.ballast is used by bridge.ts only.',
);
const electronNet = [
  ban(
    'ImportDeclaration[source.value="electron"] > ImportSpecifier[imported.name="net"]',
    "Chromium's network stack resends a POST: requests go through src-main/exchange/transport.ts.",
  ),
  ban(
    'ImportDeclaration[source.value="electron"] > ImportDefaultSpecifier',
    'Import what you use by its name.',
  ),
  ban(
    'ImportDeclaration[source.value="electron"] > ImportNamespaceSpecifier',
    'Import what you use by its name.',
  ),
];

const AS_TEXT = 'Server text is untrusted: it is text, never markup.';
const markup = [
  ...banName(
    'innerHTML|outerHTML|insertAdjacentHTML|srcdoc|setHTMLUnsafe|createContextualFragment|parseFromString',
    AS_TEXT,
  ),
  ban('MemberExpression[object.name="document"][property.name=/^write/]', AS_TEXT),
  ban('SvelteMustacheTag[kind="raw"]', AS_TEXT),
];
const formats = banName(
  'toLocaleString|toLocaleDateString|toLocaleTimeString',
  'Numbers and dates are formatted by the user’s settings: src-renderer/text.',
);

const OFFLINE = 'The window has no network: it calls the main process through bridge.ts.';
const NETWORK = ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'WebTransport', 'RTCPeerConnection'];

const PURE = 'Clock, randomness and environment are injected, so that a session replays from its seed.';
const AMBIENT = ['process', 'performance', 'crypto', 'setTimeout', 'setInterval', 'setImmediate'];
const pure = [
  ban('MemberExpression[object.name="Math"][property.name="random"]', PURE),
  ban('MemberExpression[object.name="Date"][property.name="now"]', PURE),
  ban('NewExpression[callee.name="Date"][arguments.length=0]', PURE),
  ban('CallExpression[callee.name="Date"]', PURE),
];

const tests = ['**/*.test.ts', 'tests/**'];
const source = '**/*.{ts,svelte}';

/**
 * Files that parse integers (times, counts, digits) as JavaScript numbers on purpose. Never money.
 * @type {Record<string, string>} file → which integers
 */
const PARSES_INTEGERS = {
  'src-shared/amount.ts': 'toPixels, the only conversion of money to a position on the screen',
  'src-practice/engine/contracts.ts': 'counts of ticks and lots, capped below 2^53, from bigint',
  'src-practice/engine/liquid-price.ts': 'a count of ticks from bigint',
  'src-practice/engine/liquidation.ts': 'a count of ticks from bigint',
  'src-practice/engine/orders.ts': 'a sequence number below 2^53 from bigint',
};

/**
 * @param {string[]} files
 * @param {Ban[]} banned
 * @param {string[]} [ignores]
 * @returns {FileRules}
 */
const rule = (files, banned, ignores = []) => ({
  files,
  ignores: [...tests, ...ignores],
  rules: { 'ballast/no-restricted-syntax': ['error', ...banned] },
});

const inMain = [...everywhere, ...electronNet, ...money, ...withoutWaiting];
const main = [...inMain, ...gotElsewhere, ...keytarElsewhere];

/**
 * Bans global names by scope, so that a local variable of the same name is allowed.
 * @param {string[]} files
 * @param {string[]} names
 * @param {string} message
 * @returns {FileRules}
 */
const without = (files, names, message) => ({
  files,
  ignores: tests,
  rules: {
    'no-restricted-globals': ['error', ...names.map((name) => ({ name, message }))],
    'no-restricted-properties': [
      'error',
      ...['window', 'globalThis', 'self'].flatMap((object) =>
        names.map((property) => ({ object, property, message })),
      ),
      { object: 'navigator', property: 'sendBeacon', message },
    ],
  },
});

/** Later entries win, so a narrower folder repeats the rules that still apply in it. */
export const bans = [
  without([`src-shared/${source}`, `src-practice/engine/${source}`], [...AMBIENT, ...NETWORK], PURE),
  without([`src-renderer/${source}`], NETWORK, OFFLINE),
  without([`src-{files,main,preload}/${source}`], NETWORK, ONCE),
  // The only place that renames and removes files.
  rule(
    [`src-files/${source}`],
    [
      ...everywhere,
      ...electronNet,
      ...money,
      ...gotElsewhere,
      ...keytarElsewhere,
      ...openExternal,
      ...ipcMain,
    ],
  ),
  rule([`src-{shared,preload,practice}/${source}`], [...main, ...openExternal, ...ipcMain]),
  rule(
    [`src-shared/${source}`, `src-practice/engine/${source}`],
    [...main, ...openExternal, ...ipcMain, ...pure],
  ),
  rule([`src-main/${source}`], [...main, ...openExternal, ...ipcMain]),
  rule([`src-main/app/${source}`], [...main, ...openExternal, ...ipcMain]),
  rule(['src-main/app/page.ts'], [...main, ...ipcMain]),
  rule([`src-main/bridge/${source}`], [...main, ...openExternal]),
  rule(
    ['src-main/exchange/transport.ts'],
    [...inMain, ...keytarElsewhere, ...gotSettings, ...openExternal, ...ipcMain],
  ),
  rule(['src-main/vault/keychain-process.ts'], [...inMain, ...gotElsewhere, ...openExternal, ...ipcMain]),
  rule(
    [`src-renderer/${source}`],
    [...main, ...openExternal, ...ipcMain, ...markup, ...formats, ownBridge],
    ['src-renderer/bridge.ts'],
  ),
  rule(['src-renderer/bridge.ts'], [...main, ...openExternal, ...ipcMain, ...markup, ...formats]),
  ...Object.keys(PARSES_INTEGERS).map((file) =>
    rule(
      [file],
      [
        ...everywhere,
        ...electronNet,
        ...gotElsewhere,
        ...keytarElsewhere,
        ...openExternal,
        ...ipcMain,
        ...(/^src-(?:shared|practice\/engine)\//.test(file) ? pure : []),
      ],
    ),
  ),
];
