// The walls of the house (docs/architecture.md, "Rules between modules"). Type-only imports count too: a type is
// knowledge of a room's inside. Tests may reach further than the code they test.
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
const wall = (name, comment, from, to) => ({
  name,
  comment,
  severity: 'error',
  from: { pathNot: TEST, ...from },
  to,
});

const mainRooms = (/** @type {string[]} */ ...rooms) => `^src-main/(?:${rooms.join('|')})/`;

module.exports = {
  forbidden: [
    // 1. src-shared
    wall(
      'shared-is-alone',
      'src-shared speaks for every process: no other room, no Node.',
      { path: '^src-shared/' },
      {
        pathNot: `^src-shared/|${BIG}|${VALIBOT}`,
      },
    ),
    wall(
      'amount-is-the-floor',
      'amount.ts rests on big.js alone.',
      { path: '^src-shared/amount\\.ts$' },
      { pathNot: BIG },
    ),
    wall(
      'big-is-behind-amount',
      'Decimals are made by amount.ts, which alone configures big.js.',
      {
        path: '^src-',
        pathNot: `^src-shared/amount\\.ts$|${TEST}`,
      },
      { path: BIG },
    ),
    wall(
      'exchange-api-knows-amount-only',
      'The exchange API is written down without our maths or our bridge.',
      {
        path: '^src-shared/exchange-api/',
      },
      { path: '^src-shared/(?:domain|ipc)/' },
    ),
    wall(
      'domain-knows-no-ipc',
      'Maths does not know who asks.',
      { path: '^src-shared/domain/' },
      {
        path: '^src-shared/ipc/',
      },
    ),

    wall(
      'files-are-alone',
      'src-files writes what it is given: no other room, no package.',
      { path: '^src-files/' },
      { path: `^(?:src-(?!files)|electron-standin|e2e|bench|scripts|tests)|${NPM}` },
    ),

    // 2. src-renderer
    wall(
      'renderer-is-a-page',
      'The page has src-shared and its own libraries; the rest comes over the bridge.',
      {
        path: '^src-renderer/',
        // dev/ is a page of the development server, shown on the fake bridge of the tests.
        pathNot: `${TEST}|^src-renderer/dev/`,
      },
      {
        pathNot: `^src-renderer/|^src-shared/|${VALIBOT}|^svelte/|^node_modules/(?:svelte|chart\\.js|@lucide/svelte|@fontsource-variable)(?:/|$)|^resources/|^CHANGELOG\\.md$`,
      },
    ),
    wall(
      'features-meet-in-state',
      'Screens know each other by state/ and components/ only.',
      {
        path: '^src-renderer/features/([^/]+)/',
      },
      { path: '^src-renderer/features/', pathNot: '^src-renderer/features/$1/' },
    ),
    wall(
      'state-and-components-know-no-feature',
      'What screens share does not know the screens.',
      {
        path: '^src-renderer/(?:state|components)/',
      },
      { path: '^src-renderer/features/' },
    ),
    wall(
      'state-draws-nothing',
      'Deciding classes are tested without a component.',
      { path: '^src-renderer/state/' },
      {
        path: '\\.svelte$|^src-renderer/components/',
      },
    ),

    // 3. src-preload
    wall(
      'preload-knows-names-only',
      'A sandboxed preload is one small file: Electron and the names of the contract.',
      {
        path: '^src-preload/',
      },
      {
        pathNot: '^src-preload/|^src-shared/ipc/names\\.ts$|^node_modules/electron/|^electron$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    wall(
      'preload-types-come-from-ipc',
      'Its types are the contract’s.',
      { path: '^src-preload/' },
      {
        pathNot: '^src-preload/|^src-shared/ipc/|^node_modules/electron/|^electron$',
      },
    ),
    wall(
      'names-carry-no-validator',
      'names.ts goes into the preload whole, with all it imports.',
      {
        path: '^src-shared/ipc/names\\.ts$',
      },
      { path: '.+', dependencyTypesNot: ['type-only'] },
    ),

    // 4. src-main
    wall(
      'main-has-its-rooms',
      'The main process knows src-shared and, in practice/, the practice exchange.',
      {
        path: '^src-main/',
      },
      { path: '^(?:src-renderer|src-preload|electron-standin|e2e|bench|scripts|tests)/' },
    ),
    wall(
      'electron-at-the-edge',
      'Electron only in index.ts, app/ and bridge/: the rest runs in plain Node.',
      {
        path: '^src-',
        pathNot: `^src-main/index\\.ts$|${mainRooms('app', 'bridge')}|^src-preload/|${TEST}`,
      },
      { path: '^node_modules/electron/|^electron$' },
    ),
    wall(
      'got-in-the-transport',
      'One file sends requests, so one file keeps the rule of sending once.',
      {
        path: '^src-',
        pathNot: `^src-main/exchange/transport\\.ts$|${TEST}`,
      },
      { path: '^node_modules/got/' },
    ),
    wall(
      'no-other-way-out',
      'Requests go by exchange/transport.ts; the practice exchange’s controls, on loopback, are no exchange.',
      {
        path: '^src-main/',
        pathNot: `^src-main/(?:exchange/transport|practice/controls)\\.ts$|${TEST}`,
      },
      { path: '^(?:node:)?(?:http|https|http2|net|tls|dgram)$', dependencyTypes: ['core'] },
    ),
    wall(
      'keytar-in-its-process',
      'keytar can crash or hang the process it runs in.',
      {
        path: '^src-',
        pathNot: `^src-main/vault/keychain-process\\.ts$|${TEST}`,
      },
      { path: '^node_modules/keytar/' },
    ),
    wall(
      'sqlite-in-the-archive',
      'One room, one thread, owns the database.',
      {
        path: '^src-',
        pathNot: `${mainRooms('archive')}|${TEST}`,
      },
      { path: '^(?:node:)?sqlite$|^node_modules/(?:better-)?sqlite' },
    ),
    wall(
      'by-their-ports',
      'orders and sync know the exchange and the archive by their ports, not by their insides.',
      {
        path: mainRooms('orders', 'sync'),
      },
      // A type-only import is how a port is named: nothing of the inside is there when it runs.
      {
        path: mainRooms('exchange', 'archive'),
        pathNot: '[/-]port\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    ),

    // 5. src-practice
    wall(
      'practice-is-a-program-of-its-own',
      'It knows the interface, never the client: both are checked by their meeting.',
      {
        path: '^src-practice/',
      },
      { path: `^(?:src-(?!practice|shared|files)|electron-standin|e2e|bench|scripts|tests)|${NPM}` },
    ),
    wall(
      'engine-is-pure',
      'Same inputs, same bytes: no I/O in the engine.',
      { path: '^src-practice/engine/' },
      {
        pathNot: '^src-practice/engine/|^src-shared/',
      },
    ),
    wall(
      'practice-is-started-by-one-room',
      'Live and practice share every line of the client.',
      {
        path: '^src-',
        pathNot: `^src-practice/|${mainRooms('practice')}|${TEST}`,
      },
      { path: '^src-practice/' },
    ),
    wall(
      'practice-by-its-front',
      'It is started by its index.',
      { path: mainRooms('practice') },
      {
        path: '^src-practice/(?!index\\.ts$)',
      },
    ),

    // 6. everywhere
    {
      name: 'no-cycle',
      comment: 'A cycle is one room with two names.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphan',
      comment: 'A file nobody imports and that imports nobody is dead, or not wired yet.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: `${TEST}|\\.d\\.ts$|^[^/]+\\.(?:c?js|ts)$|^scripts/|^bench/|^e2e/|^electron-standin/(?:fixture|page)/`,
      },
      to: {},
    },
    {
      name: 'no-composition-root',
      comment: 'A composition root is where things start: importing it starts them.',
      severity: 'error',
      from: {},
      to: { path: '^src-main/index\\.ts$|^src-preload/index\\.ts$|^src-renderer/main\\.ts$' },
    },
    wall(
      'no-test-code',
      'Source does not know its tests.',
      {
        path: '^src-|^electron-standin/',
        pathNot: `${TEST}|^src-renderer/dev/|^electron-standin/(?:.*\\.spec|playwright\\.config)\\.ts$`,
      },
      {
        path: `${TEST}|\\.spec\\.ts$|^(?:e2e|bench)/|^node_modules/(?:vitest|fast-check|@testing-library|@playwright|playwright|happy-dom|decimal\\.js|csv-parse|csv-stringify|nodejs-order-book)/`,
      },
    ),
    wall(
      'stand-in-knows-no-app',
      'It stands in for Electron, for any app.',
      { path: '^electron-standin/' },
      {
        path: '^src-',
      },
    ),
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere.',
      severity: 'error',
      from: {},
      // svelte/action holds types only, which are found by tsc.
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
