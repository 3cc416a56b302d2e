// The dependency rules (docs/architecture.md, "Rules between modules"). Type-only imports count too: a type exposes
// a module's inside. Tests may import more than the code they test.
const TEST = String.raw`\.test\.ts$|^tests/`;
const NPM = '^node_modules/';
const BIG = '^node_modules/big\\.js/|^node_modules/@types/big\\.js/';
const VALIBOT = '^node_modules/valibot/';

/**
 * @param {string} name
 * @param {string} comment
 * @param {object} from
 * @param {object} to
 */
const forbid = (name, comment, from, to) => ({
  name,
  comment,
  severity: 'error',
  from: { pathNot: TEST, ...from },
  to,
});

const mainModules = (/** @type {string[]} */ ...modules) => `^src-main/(?:${modules.join('|')})/`;

module.exports = {
  forbidden: [
    // 1. src-shared
    forbid(
      'shared-is-alone',
      'src-shared runs in every process: it imports no other module and nothing of Node.',
      { path: '^src-shared/' },
      {
        pathNot: `^src-shared/|${BIG}|${VALIBOT}`,
      },
    ),
    forbid(
      'amount-is-the-floor',
      'amount.ts imports big.js only.',
      { path: '^src-shared/amount\\.ts$' },
      { pathNot: BIG },
    ),
    forbid(
      'big-is-behind-amount',
      'Decimals are made by amount.ts, which alone configures big.js.',
      {
        path: '^src-',
        pathNot: `^src-shared/amount\\.ts$|${TEST}`,
      },
      { path: BIG },
    ),
    forbid(
      'exchange-api-knows-amount-only',
      'The description of the exchange API imports neither the domain nor the IPC types.',
      {
        path: '^src-shared/exchange-api/',
      },
      { path: '^src-shared/(?:domain|ipc)/' },
    ),
    forbid(
      'domain-knows-no-ipc',
      'The domain does not depend on its callers.',
      { path: '^src-shared/domain/' },
      {
        path: '^src-shared/ipc/',
      },
    ),

    forbid(
      'files-are-alone',
      'src-files writes what it is given: it imports no other module and no package.',
      { path: '^src-files/' },
      { path: `^(?:src-(?!files)|electron-standin|e2e|bench|scripts|tests)|${NPM}` },
    ),

    // 2. src-renderer
    forbid(
      'renderer-is-a-page',
      'The page imports src-shared and its own libraries; everything else comes over the bridge.',
      {
        path: '^src-renderer/',
        // dev/ is a page of the development server and uses the fake bridge of the tests.
        pathNot: `${TEST}|^src-renderer/dev/`,
      },
      {
        pathNot: `^src-renderer/|^src-shared/|${VALIBOT}|^svelte/|^node_modules/(?:svelte|chart\\.js|lucide|@fontsource-variable)(?:/|$)|^resources/|^CHANGELOG\\.md$`,
      },
    ),
    forbid(
      'features-meet-in-state',
      'Features share code through state/ and components/ only.',
      {
        path: '^src-renderer/features/([^/]+)/',
      },
      { path: '^src-renderer/features/', pathNot: '^src-renderer/features/$1/' },
    ),
    forbid(
      'state-and-components-know-no-feature',
      'Code shared by the features imports none of them.',
      {
        path: '^src-renderer/(?:state|components)/',
      },
      { path: '^src-renderer/features/' },
    ),
    forbid(
      'state-draws-nothing',
      'State is tested without a component.',
      { path: '^src-renderer/state/' },
      {
        path: '\\.svelte$|^src-renderer/components/',
      },
    ),

    // 3. src-preload
    forbid(
      'preload-knows-names-only',
      'A sandboxed preload is one small file: it imports Electron and the channel names.',
      {
        path: '^src-preload/',
      },
      {
        pathNot: '^src-preload/|^src-shared/ipc/names\\.ts$|^node_modules/electron/|^electron$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'preload-types-come-from-ipc',
      'The types of the preload come from src-shared/ipc.',
      { path: '^src-preload/' },
      {
        pathNot: '^src-preload/|^src-shared/ipc/|^node_modules/electron/|^electron$',
      },
    ),
    forbid(
      'names-carry-no-validator',
      'The preload bundles names.ts with everything it imports.',
      {
        path: '^src-shared/ipc/names\\.ts$',
      },
      { path: '.+', dependencyTypesNot: ['type-only'] },
    ),

    // 4. src-main
    forbid(
      'main-has-its-modules',
      'The main process imports src-shared and, in practice/, the practice exchange.',
      {
        path: '^src-main/',
      },
      { path: '^(?:src-renderer|src-preload|electron-standin|e2e|bench|scripts|tests)/' },
    ),
    forbid(
      'electron-at-the-edge',
      'Electron only in index.ts, app/ and bridge/: the rest runs in plain Node.',
      {
        path: '^src-',
        pathNot: `^src-main/index\\.ts$|${mainModules('app', 'bridge')}|^src-preload/|${TEST}`,
      },
      { path: '^node_modules/electron/|^electron$' },
    ),
    forbid(
      'got-in-the-transport',
      'One file sends requests, so one file keeps the rule of sending once.',
      {
        path: '^src-',
        pathNot: `^src-main/exchange/transport\\.ts$|${TEST}`,
      },
      { path: '^node_modules/got/' },
    ),
    forbid(
      'no-other-way-out',
      'Requests go by exchange/transport.ts; the practice exchange’s controls, on loopback, are no exchange.',
      {
        path: '^src-main/',
        pathNot: `^src-main/(?:exchange/transport|practice/controls)\\.ts$|${TEST}`,
      },
      { path: '^(?:node:)?(?:http|https|http2|net|tls|dgram)$', dependencyTypes: ['core'] },
    ),
    forbid(
      'keytar-in-its-process',
      'keytar can crash or hang the process it runs in.',
      {
        path: '^src-',
        pathNot: `^src-main/vault/keychain-process\\.ts$|${TEST}`,
      },
      { path: '^node_modules/keytar/' },
    ),
    forbid(
      'sqlite-in-the-archive',
      'One module, on one thread, owns the database.',
      {
        path: '^src-',
        pathNot: `${mainModules('archive')}|${TEST}`,
      },
      { path: '^(?:node:)?sqlite$|^node_modules/(?:better-)?sqlite' },
    ),
    forbid(
      'by-their-ports',
      'orders and sync use the exchange and the archive through their ports.',
      {
        path: mainModules('orders', 'sync'),
      },
      // A port is named by a type-only import, which loads nothing at run time.
      {
        path: mainModules('exchange', 'archive'),
        dependencyTypesNot: ['type-only'],
      },
    ),

    forbid(
      'portfolio-cannot-send',
      'Accounts beside the open connection are read only: no order module, and of the client its type alone.',
      { path: mainModules('portfolio') },
      {
        path: `${mainModules('orders', 'bridge')}|^src-main/exchange/(?:client|transport|order-)`,
        pathNot: '^src-main/exchange/client\\.ts$',
      },
    ),
    forbid(
      'portfolio-names-the-client',
      'It gets its clients from the session, by read-client.ts, which keeps their reads.',
      { path: mainModules('portfolio'), pathNot: `${TEST}|read-client\\.ts$` },
      { path: '^src-main/exchange/client\\.ts$' },
    ),

    // 5. src-practice
    forbid(
      'practice-is-a-program-of-its-own',
      'It imports the exchange API’s description, never the client, so that each checks the other.',
      {
        path: '^src-practice/',
      },
      { path: `^(?:src-(?!practice|shared|files)|electron-standin|e2e|bench|scripts|tests)|${NPM}` },
    ),
    forbid(
      'engine-is-pure',
      'Same inputs, same bytes: no I/O in the engine.',
      { path: '^src-practice/engine/' },
      {
        pathNot: '^src-practice/engine/|^src-shared/',
      },
    ),
    forbid(
      'practice-is-started-by-one-module',
      'Live and practice connections use the same client code.',
      {
        path: '^src-',
        pathNot: `^src-practice/|${mainModules('practice')}|${TEST}`,
      },
      { path: '^src-practice/' },
    ),
    forbid(
      'practice-by-its-front',
      'The practice exchange is started through its index.ts.',
      { path: mainModules('practice') },
      {
        path: '^src-practice/(?!index\\.ts$)',
      },
    ),

    // 6. everywhere
    {
      name: 'no-cycle',
      comment: 'Modules in a cycle cannot be understood or tested apart.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphan',
      comment: 'A file without imports or importers is dead, or not wired yet.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: `${TEST}|\\.d\\.ts$|^[^/]+\\.(?:c?js|ts)$|^scripts/|^bench/|^e2e/|^electron-standin/(?:fixture|page)/`,
      },
      to: {},
    },
    {
      name: 'no-composition-root',
      comment: 'Importing a composition root starts the program.',
      severity: 'error',
      from: {},
      to: { path: '^src-main/index\\.ts$|^src-preload/index\\.ts$|^src-renderer/main\\.ts$' },
    },
    forbid(
      'no-test-code',
      'Source never imports test code.',
      {
        path: '^src-|^electron-standin/',
        pathNot: `${TEST}|^src-renderer/dev/|^electron-standin/(?:.*\\.spec|playwright\\.config)\\.ts$`,
      },
      {
        path: `${TEST}|\\.spec\\.ts$|^(?:e2e|bench)/|^node_modules/(?:vitest|fast-check|@testing-library|@playwright|playwright|happy-dom|decimal\\.js|csv-parse|csv-stringify|nodejs-order-book)/`,
      },
    ),
    forbid(
      'stand-in-knows-no-app',
      'The stand-in replaces Electron for any app, so it imports none.',
      { path: '^electron-standin/' },
      {
        path: '^src-',
      },
    ),
    {
      name: 'resolvable',
      comment: 'The import cannot be resolved.',
      severity: 'error',
      from: {},
      // svelte/action holds types only, which tsc finds.
      to: { couldNotResolve: true, pathNot: '^svelte/action$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(?:out|dist|\\.node|\\.cache|test-results|playwright-report)/' },
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['svelte', 'browser', 'import', 'node', 'default'],
      extensions: ['.ts', '.mjs', '.js', '.cjs', '.svelte', '.json'],
      mainFields: ['svelte', 'module', 'main', 'types'],
    },
  },
};
