/** The palette's entries: screens, positions, actions of the frame, connections, settings, contracts. */
import { isLongOrShort, sideWord } from '../../src-shared/exchange-api/enums.ts';
import { positionKey } from '../../src-shared/domain/position/identity.ts';
import { plainMoney } from '../text/number-text.ts';
import { positionEntries } from '../state/app/position-actions.ts';
import { actOn } from '../state/app/menu-actions.ts';
import type { AppState } from '../state/app/app-state.svelte.ts';
import type { Screen } from '../screens.ts';
import { zoomed } from '../../src-shared/domain/display/zoom.ts';

/** An entry of the palette. */
export interface Command {
  readonly id: string;
  readonly title: string;
  /** Shown at the right of the entry. */
  readonly note?: string;
  /** More search terms; matches of the title come first. */
  readonly keywords?: string;
  readonly keys?: string;
  /** Of a contract with a position or an order: comes before what matches a query equally well. */
  readonly held?: boolean;
  readonly run: () => void;
}

/** Sections of Settings; `keywords` are more search terms. */
const SETTINGS: readonly (readonly [title: string, part: string, keywords: string])[] = [
  ['Connections', 'connections', 'account exchange key secret signing api import export rename'],
  ['Practice controls', 'practice', 'exchange faults lost reply price shock clock speed habits history'],
  ['Appearance', 'appearance', 'look'],
  ['Theme', 'appearance', 'dark light system colour'],
  ['Profit and side colours', 'appearance', 'palette green red blue orange'],
  ['Row height', 'appearance', 'density compact comfortable'],
  ['Digit groups and decimal mark', 'appearance', 'number format comma point space'],
  ['Date format', 'appearance', 'day month year iso'],
  ['Time zone', 'appearance', 'clock utc'],
  ['Units of sizes', 'appearance', 'coin quote'],
  ['Decimals of money', 'appearance', 'precision digits round cut'],
  ['Zoom', 'appearance', 'size larger smaller scale'],
  ['Hidden amounts', 'appearance', 'privacy blur mask'],
  ['Trading safety', 'safety', 'fat finger limits lock key'],
  ['Alerts', 'alerts', 'liquidation margin notification sound quiet'],
  ['When away', 'away', 'webhooks messages phone ntfy telegram slack discord tray background login'],
  ['Data and archive', 'data', 'backups restore folder check coverage database remove'],
  ['Keyboard', 'keyboard', 'shortcuts keys'],
  ['About Ballast', 'about', 'version updates licences diagnostics logs schema drift'],
];

/** Tabs of screens. */
const PARTS = [
  ['PnL by day', 'overview', 'days', 'profit results daily'],
  ['PnL calendar', 'overview', 'calendar', 'profit results days'],
  ['Statistics', 'overview', 'statistics', 'profit win rate drawdown fees funding'],
  ['PnL by contract', 'overview', 'contracts', 'profit results'],
  ['Open orders', 'positions', 'open', 'orders resting cancel'],
  ['Order history', 'positions', 'history', 'orders'],
  ['Order journal', 'positions', 'journal', 'orders'],
  ['Contract tiers', 'risk', 'tiers', 'risk leverage maintenance'],
  ['What-if', 'risk', 'what-if', 'risk liquidation price'],
  ['Price shock', 'risk', 'shock', 'risk stress crash move liquidated first betas'],
  ['Trades by day', 'trades', 'day', 'profit group sums daily'],
  ['Trades by month', 'trades', 'month', 'profit group sums monthly'],
  ['Trades by contract', 'trades', 'contract', 'profit group sums'],
  ['Trades by tag', 'trades', 'tag', 'profit group sums notes'],
  ['Round trips', 'trades', 'round-trip', 'profit trades by group'],
  ['Trades by order', 'trades', 'order', 'group fills'],
  ['Batch from a file', 'batch', 'file', 'import csv paste'],
] as const;

/** Opens or closes each position; the close sheet confirms first. */
function positionCommands(app: AppState): Command[] {
  const { positions } = app.feeds;
  const { symbol, screen } = app.navigation;
  const named = positions.map((position) => ({
    position,
    name: `${position.symbolId} ${sideWord(position.side)}`,
    chosen: position.symbolId === symbol,
  }));
  return [
    ...named.map(({ position, name }) => ({
      id: `position:${positionKey(position)}`,
      title: name,
      note: 'position',
      keywords: 'risk liquidation',
      held: true,
      run: () => app.navigation.go('risk', { symbolId: position.symbolId }),
    })),
    // For the chosen contract, the actions of its row menu.
    ...named
      .filter(({ chosen }) => chosen)
      .flatMap(({ position, name }) =>
        positionEntries(app, position)
          .filter((entry) => !entry.disabled)
          .map((entry) => ({
            id: `position:${positionKey(position)}:${entry.label}`,
            title: `${name}: ${entry.label}`,
            ...(entry.note === undefined ? {} : { note: entry.note }),
            // Elsewhere no row has the focus that they need.
            ...(entry.keys === undefined || screen !== 'positions' ? {} : { keys: entry.keys }),
            run: entry.run,
          })),
      ),
    ...named
      .filter(({ position, chosen }) => !chosen && isLongOrShort(position.side))
      .map(({ position, name }) => ({
        id: `close:${positionKey(position)}`,
        title: `Close ${name} ${position.quantity === null ? '' : plainMoney(position.quantity)}…`,
        run: () => app.close.start(position),
      })),
    ...(positions.length === 0
      ? []
      : [
          ['all', 'Close all positions…'] as const,
          ['profit', 'Close positions in profit…'] as const,
          ['loss', 'Close positions in loss…'] as const,
        ]
    ).map(([group, title]) => ({
      id: `close ${group}`,
      title,
      keywords: 'flatten exit',
      run: () => app.closePositions.start(group),
    })),
  ];
}

const screenCommands = (app: AppState, screens: readonly Screen[], control: string): Command[] =>
  screens.map((screen, index) => ({
    id: `screen:${screen.name}`,
    title: screen.label,
    note: 'screen',
    keywords: screen.keywords ?? '',
    ...(screen.last ? {} : { keys: `${control} ${index + 1}` }),
    run: () => app.navigation.go(screen.name),
  }));

/** Commands around trading: the ticket, the lock, the account's figures. */
function tradingCommands(app: AppState, onlock: () => void, control: string): Command[] {
  return [
    {
      id: 'margin',
      title: 'Margin ratio explained',
      keywords: 'health maintenance liquidation why formula',
      run: () => (app.navigation.marginOpen = true),
    },
    {
      id: 'ticket',
      title: 'Go to the ticket',
      keys: 'F2',
      keywords: 'order buy sell show',
      run: () => app.navigation.enterOrHideTicket(false),
    },
    ...(app.navigation.ticketShown
      ? [{ id: 'ticket hide', title: 'Hide the ticket', run: () => app.navigation.showTicket(false) }]
      : []),
    {
      id: 'lock',
      title: app.session.locked ? 'Unlock trading…' : 'Lock trading',
      keys: `${control} L`,
      run: onlock,
    },
    ...(app.session.secretUse === 'in-use'
      ? [
          {
            id: 'lock key',
            title: 'Lock and unload the secret',
            keywords: 'key drop forget memory trading',
            run: () => void app.lock('secret'),
          },
        ]
      : []),
    {
      id: 'privacy',
      title: app.settings.value.privacy ? 'Show amounts' : 'Hide amounts',
      keys: `${control} Shift H`,
      keywords: 'privacy blur mask',
      run: () => actOn(app, 'privacy'),
    },
    { id: 'refresh', title: 'Refresh the account', run: () => void app.feeds.refresh('account') },
  ];
}

/** Commands for the window's appearance and for help. */
function windowCommands(app: AppState, control: string): Command[] {
  const dark = app.settings.theme === 'dark';
  return [
    {
      id: 'theme',
      title: dark ? 'Light theme' : 'Dark theme',
      run: () => void app.changeSettings({ theme: dark ? 'light' : 'dark' }),
    },
    ...(['in', 'out', 'reset'] as const).map((step) => ({
      id: `zoom:${step}`,
      title: step === 'reset' ? 'Actual size' : `Zoom ${step}`,
      keys: `${control} ${{ in: '+', out: '−', reset: '0' }[step]}`,
      run: () => void app.changeSettings({ zoom: zoomed(app.settings.value.zoom, step) }),
    })),
    { id: 'shortcuts', title: 'Keyboard shortcuts', keys: '?', run: () => actOn(app, 'shortcuts') },
    {
      id: 'whats-new',
      title: 'What’s new',
      keywords: 'changes changelog update news',
      run: () => actOn(app, 'whats-new'),
    },
    {
      id: 'diagnostics',
      title: 'Save diagnostics…',
      keywords: 'report',
      run: () => actOn(app, 'diagnostics'),
    },
    { id: 'logs', title: 'Show logs', run: () => void app.run('app.showLogs', undefined) },
  ];
}

const connectionCommands = (app: AppState): Command[] =>
  app.session.connections
    .filter((one) => one.id !== app.session.activeId)
    .map((one) => ({
      id: `connection:${one.id}`,
      title: `Switch to ${one.settings.name}`,
      note: one.kind === 'practice' ? 'PRACTICE' : 'LIVE',
      keywords: 'connection account',
      run: () => void app.selectConnection(one.id),
    }));

const exportCommand = (app: AppState, keys?: string): Command => ({
  id: 'trades export',
  title: 'Export trades as CSV…',
  keywords: 'tax koinly',
  ...(keys === undefined ? {} : { keys }),
  run: () => app.navigation.go('trades', { part: 'export' }),
});

/** What the open screen is for comes first, with its key. */
function ownCommands(app: AppState, control: string): Command[] {
  switch (app.navigation.screen) {
    case 'trades':
      return [exportCommand(app, `${control} E`)];
    case 'batch':
      return [
        { id: 'batch-review', title: 'Review the batch', keys: 'F9', run: () => void app.batch.review() },
      ];
    default:
      return [];
  }
}

/** Commands that open a part of a screen: lists of orders, the export, sections of Settings. */
function partCommands(app: AppState, screens: readonly Screen[]): Command[] {
  return [
    ...PARTS.map(([title, screen, part, keywords]) => ({
      id: `${screen}:${part}`,
      title,
      note: `in ${screens.find(({ name }) => name === screen)?.label ?? screen}`,
      keywords,
      run: () => app.navigation.go(screen, { part }),
    })),
    ...positionCommands(app),
    ...(app.navigation.screen === 'trades' ? [] : [exportCommand(app)]),
    ...SETTINGS.map(([title, part, keywords]) => ({
      id: `setting:${title}`,
      title,
      note: 'setting',
      keywords,
      run: () => app.navigation.go('settings', { part }),
    })),
  ];
}

const contractCommands = (app: AppState): Command[] =>
  (app.feeds.contracts.value ?? []).map((one) => ({
    id: `contract:${one.symbolId}`,
    title: one.symbolId,
    note: 'contract in the ticket',
    held: app.feeds.positionsBySymbol.has(one.symbolId) || app.feeds.openOrdersBySymbol.has(one.symbolId),
    run: () => app.navigation.trade({ symbolId: one.symbolId }),
  }));

/** Returns all entries, those of the open screen first. */
export function frameCommands(app: AppState, screens: readonly Screen[], onlock: () => void): Command[] {
  const { control } = app.session;
  return [
    ...ownCommands(app, control),
    ...screenCommands(app, screens, control),
    ...tradingCommands(app, onlock, control),
    ...windowCommands(app, control),
    ...connectionCommands(app),
    ...partCommands(app, screens),
    ...contractCommands(app),
  ];
}
