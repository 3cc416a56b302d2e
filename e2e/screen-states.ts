/** The states of the whole window, and the tour of every screen in each of them, for screenshots and axe. */
import type { Page } from '@playwright/test';
import type { Settings } from '../src-shared/ipc/settings.ts';
import { beside, serveLargeAccount, serveEmpty } from './accounts.ts';
import { changeSettings, expect, launch, setTheme, type Ballast } from './fixture.ts';
import { goTo, openLive, screensOf, Sheet, Ticket } from './page-objects.ts';
import { startScripted, type ScriptedExchange } from './scripted-exchange.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}
export const SIZES: readonly Size[] = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
];

type Theme = 'dark' | 'light';
const THEMES: readonly Theme[] = ['dark', 'light'];

interface State {
  /** What the exchange serves from the start; by default the exchange API's samples. */
  readonly serve?: (exchange: ScriptedExchange) => void;
  /** Enters the state from the account's first reading. */
  readonly enter?: (page: Page, exchange: ScriptedExchange) => Promise<void>;
  readonly settings?: Partial<Settings>;
  readonly sizes?: readonly Size[];
  /** No account is read in it. */
  readonly unread?: true;
  /** With Ballast's own practice exchange, as after an installation. */
  readonly own?: true;
}

async function live(page: Page, { url }: ScriptedExchange, readOnly: boolean): Promise<void> {
  await openLive(
    page,
    { url, credentials: { key: 'key', secret: 'secret' } },
    {
      name: 'Meridian main',
      pageUrl: 'https://meridian.example/trade',
      triggerTypes: ['MARK_PRICE'],
      reverseQuantity: 'new-position',
      readOnly,
    },
  );
  await expect(page.locator('[data-field="totalEquities"]').first()).toBeVisible();
}

/** Sends the smallest order of the samples' contract. */
export async function sendOne(page: Page): Promise<void> {
  const ticket = new Ticket(page);
  await ticket.choose('BTC-USDT-M');
  await ticket.fill({ side: 'Buy', quantity: '0.001', price: '61000' });
  const sheet = await ticket.review();
  await sheet.press();
}

export const GATEWAY = '<!doctype html><title>Gateway</title>';
const BUSY = '{"code":"500","msg":"busy","success":false,"data":null}';
const NO_FUNDS = '{"code":"700017","msg":"Balance insufficient","success":false,"data":null}';

export const STATES: Readonly<Record<string, State>> = {
  sample: {},
  crowded: { serve: (exchange) => serveLargeAccount(exchange, false) },
  empty: { serve: serveEmpty },
  first: { own: true },
  loading: { serve: (exchange) => exchange.fallSilent(), unread: true },
  unread: {
    serve(exchange) {
      for (const endpoint of ['account', 'openOrders', 'orderHistory', 'symbolConfig', 'trades'] as const)
        exchange.answer(endpoint, GATEWAY);
    },
    unread: true,
  },
  stale: {
    async enter(page, exchange) {
      exchange.answer('account', BUSY);
      await expect(page.locator('main .is-stale, main .old').first()).toBeVisible();
    },
  },
  locked: { enter: (page) => page.keyboard.press('Control+l') },
  // Runs without a session bus: the secret stays in memory, and the window shows that.
  live: { enter: (page, exchange) => live(page, exchange, false) },
  'read-only': { enter: (page, exchange) => live(page, exchange, true) },
  refused: {
    async enter(page, exchange) {
      exchange.answer('placeOrder', NO_FUNDS);
      await sendOne(page);
      await expect(page.getByTestId('ticket-failure')).toBeVisible();
    },
  },
  unknown: {
    async enter(page, exchange) {
      exchange.answer('placeOrder', GATEWAY);
      await sendOne(page);
      await expect(page.getByTestId('confirm-outcome')).toHaveAttribute('data-state', 'unknown');
      await new Sheet(page).done();
    },
  },
  private: {
    serve: (exchange) => serveLargeAccount(exchange, false),
    settings: { privacy: true, sizeUnit: 'quote' },
  },
  written: {
    settings: { grouping: 'space', decimalMark: 'comma', dateFormat: 'day-first', pnlColours: 'blue-orange' },
  },
  large: {
    serve: (exchange) => serveLargeAccount(exchange, false),
    sizes: [{ width: 2560, height: 1440 }],
    settings: { density: 'comfortable' },
  },
  // The page size at a zoom of 125 and 200 % of 1440 × 900: the window's zoom makes a smaller page.
  zoomed: {
    sizes: [
      { width: 1152, height: 720 },
      { width: 720, height: 450 },
    ],
  },
};

async function start(state: State, exchange: ScriptedExchange, profile: string): Promise<Ballast> {
  const ballast = await (state.own ? launch(profile, null) : beside(exchange, profile));
  const { page } = ballast;
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(page.locator('main [aria-busy="true"], main section').first()).toBeVisible();
  await changeSettings(page, state.settings ?? {});
  if (!state.unread) await expect(page.locator('[data-field="totalEquities"]').first()).toBeVisible();
  await state.enter?.(page, exchange);
  return ballast;
}

/** Shows every screen by theme and window size in one state; calls `check` with `<screen>-<state>-<theme>-<width>`. */
export async function visitScreens(
  name: string,
  profile: string,
  check: (page: Page, name: string) => Promise<void>,
  part: { readonly themes?: readonly Theme[]; readonly sizes?: readonly Size[] } = {},
): Promise<void> {
  const state = STATES[name];
  if (state === undefined) throw new Error(`there is no state ${name}`);
  const exchange = await startScripted();
  state.serve?.(exchange);
  const { app, page } = await start(state, exchange, profile);
  const screens = await screensOf(page);
  for (const theme of part.themes ?? THEMES) {
    await setTheme(page, theme);
    for (const size of part.sizes ?? state.sizes ?? SIZES) {
      await page.setViewportSize(size);
      for (const screen of screens) {
        await goTo(page, screen);
        await page.evaluate(() => document.fonts.ready);
        await check(page, `${screen}-${name}-${theme}-${size.width}`);
      }
    }
  }
  await app.close();
  await exchange.stop();
}
