import { render } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import type { AccountInfo } from '../../../src-shared/exchange-api/account.ts';
import type { ConnectionSummary } from '../../../src-shared/ipc/connections.ts';
import { done, type Failure } from '../../../src-shared/ipc/failures.ts';
import type { Feed } from '../../../src-shared/ipc/feeds.ts';
import type { AccountReading } from '../../../src-shared/ipc/portfolio.ts';
import { DEFAULT_SETTINGS } from '../../../src-shared/ipc/default-settings.ts';
import { contractKey } from '../../../src-shared/domain/instrument/specs.ts';
import type { Settings } from '../../../src-shared/ipc/settings.ts';
import { account, asset, LINEAR, NOW, position } from '../../../tests/domain/order-samples.ts';
import { type Fixture, fixture, settled, SETTINGS } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import type { ChartColours } from '../../components/chart/chart-colours.ts';
import { comparisonChart } from './comparison-chart.ts';
import { changesOf } from './equity-comparison.svelte.ts';
import PortfolioFigures from './PortfolioFigures.svelte';
import { PortfolioView } from './portfolio.svelte.ts';

const refused: Failure = { kind: 'rejected', message: 'The key is wrong.', next: '', code: '700003' };
const feedOf = (value: AccountInfo | null, changes: Partial<Feed<AccountInfo>> = {}): Feed<AccountInfo> => ({
  ...{
    value,
    receivedAt: NOW,
    age: 0,
    latencyMs: 1,
    failure: null,
    failingSince: null,
    serial: 1,
    intervalFactor: 30,
  },
  ...changes,
});
const holds = (coin: string, equities: string, uid = '2'): AccountInfo =>
  account([position({ uid })], [asset({ coin, equities, profitUnreal: '1' })]);
const beside = (id: string, name: string, changes: object = {}): ConnectionSummary => ({
  ...{ id, kind: 'live', secret: 'stored', verified: true, createdAt: 0 },
  settings: { ...SETTINGS, name, apiKey: id, portfolio: true, ...changes },
});

/** A window with an included open account, which holds 104,000 USDT, and others beside it. */
async function shown(
  others: readonly ConnectionSummary[],
  readings: readonly AccountReading[],
  locked = false,
): Promise<{ all: Fixture; view: PortfolioView }> {
  const all = await fixture('live');
  all.replies['portfolio.get'] = () => done({ locked, readings });
  const state = all.app.session.state!;
  const [open] = state.connections;
  const own = { ...open!, settings: { ...open!.settings, portfolio: true } };
  all.push('session', { ...state, connections: [own, ...others] });
  const view = new PortfolioView(all.app);
  view.start();
  await settled();
  return { all, view };
}
const reading = (connectionId: string, feed: Feed<AccountInfo>): AccountReading => ({
  ...{ connectionId, account: feed, contracts: [], multipliers: {} },
  secret: 'stored',
});

describe('accounts side by side', () => {
  it('sum the open account and those beside it, and leave out what is not read', async () => {
    const others = [beside('b', 'Harbour hedge'), beside('c', 'Delta arb')];
    const { view } = await shown(others, [
      reading('b', feedOf(holds('USDT', '1000.5'))),
      reading('c', feedOf(holds('USDT', '7'), { failure: refused })),
    ]);
    expect(view.rows.map(({ name, status }) => [name, status])).toEqual([
      ['Meridian main', 'polling'],
      ['Harbour hedge', 'polling'],
      ['Delta arb', 'rejected'],
    ]);
    expect([view.read.length, view.included.length]).toEqual([2, 3]);
    expect(view.total).toMatchObject({ value: '105000.5', estimate: false, complete: false });
    expect(view.sums).toMatchObject([{ coin: 'USDT', parts: ['104000', '1000.5', null], complete: false }]);
    expect(view.unrealised).toBe('4001');
    expect(view.shared).toMatchObject([{ symbolId: 'BTC-USDT-M', net: '4', complete: false }]);
  });

  it('name what their total lacks: an account, a balance that cannot be read, a coin without a rate', async () => {
    const assets = [asset({ coin: 'USDT', equities: null }), asset({ coin: 'XYZ', equities: '1' })];
    const { view } = await shown(
      [beside('b', 'Harbour hedge'), beside('c', 'Delta arb')],
      [
        reading('b', feedOf(account([position({ uid: '2' })], assets))),
        reading('c', feedOf(holds('USDT', '7'), { failure: refused })),
      ],
    );
    expect(view.total).toMatchObject({ value: '104000', complete: false });
    expect(view.notIncluded).toEqual(['USDT of Harbour hedge', 'Delta arb', 'XYZ']);
  });

  it('name the accounts that unrealised PnL lacks, and say that a worse margin ratio may be unknown', async () => {
    const unread = asset({ coin: 'USDT', profitUnreal: null, crossedMaintainMarginRate: null });
    const { all, view } = await shown(
      [beside('b', 'Harbour hedge'), beside('c', 'Delta arb')],
      [
        reading('b', feedOf(account([position({ uid: '2' })], [unread]))),
        reading('c', feedOf(holds('USDT', '7', '3'))),
      ],
    );
    const strip = (): string => {
      const { container, unmount } = render(InApp, {
        app: all.app,
        component: PortfolioFigures,
        given: { view },
      });
      const text = container.textContent.replaceAll(/\s+/g, ' ');
      unmount();
      return text;
    };
    expect([view.unrealised, view.unrealisedWithout]).toEqual(['4001', ['Harbour hedge']]);
    expect(strip()).toContain('Harbour hedge not included');
    expect(strip()).toContain('others not known');
    all.push('portfolio', { locked: false, readings: [reading('c', feedOf(holds('USDT', '7', '3')))] });
    expect(view.unrealisedWithout).toEqual(['Harbour hedge']);
    expect(strip()).not.toContain('others not known');
  });

  it('value a contract that several hold while practice is open, or an exchange without it', async () => {
    const others = [beside('b', 'Harbour hedge'), beside('c', 'Delta arb')];
    const readings = others.map(({ id }) => reading(id, feedOf(holds('USDT', '1', id))));
    const { all, view } = await shown(others, readings);
    const { state } = all.app.session;
    const connections = state!.connections.map((one) =>
      one.id === 'live-1' ? ({ ...one, kind: 'practice' } as const) : one,
    );
    all.push('session', { ...state!, connections });
    const [one, other] = readings;
    all.push('portfolio', { locked: false, readings: [one!, { ...other!, contracts: [LINEAR] }] });
    expect(view.shared).toMatchObject([{ parts: ['2', '2'], value: { amount: '388000', coin: 'USDT' } }]);
    all.push('portfolio', { locked: false, readings });
    expect(view.shared).toMatchObject([{ value: null }]);
  });

  it('value a contract that several hold by the multipliers typed on each connection', async () => {
    const { all, view } = await shown(
      [beside('b', 'Harbour hedge')],
      [reading('b', feedOf(holds('USDT', '1')))],
    );
    const valueOf = async (...[connectionId, multiplier]: [string, string]) => {
      const unset = { priceDecimals: null, quantityDecimals: null, feeRateMaker: null, feeRateTaker: null };
      const contracts = { [contractKey(connectionId, 'BTC-USDT-M')]: { ...unset, multiplier } };
      all.replies['settings.set'] = () => done({ ...DEFAULT_SETTINGS, contracts });
      await all.app.changeSettings({ contracts });
      return view.shared[0]?.value?.amount;
    };
    // Each holds 2 at 97,000.
    expect(view.shared[0]?.value?.amount).toBe('388000');
    expect(await valueOf('b', '0.1')).toBe('213400');
    expect(await valueOf('live-1', '0.5')).toBe('291000');
    expect(await valueOf('elsewhere', '0.5')).toBe('388000');
  });

  it('value a contract that several hold by the multiplier that the records of an account show', async () => {
    const other = reading('b', feedOf(holds('USDT', '1')));
    const { all, view } = await shown([beside('b', 'Harbour hedge')], [other]);
    expect(view.shared[0]?.value?.amount).toBe('388000');
    all.push('portfolio', {
      ...{ locked: false, readings: [{ ...other, multipliers: { 'BTC-USDT-M': '0.1' } }] },
    });
    expect(view.shared[0]?.value?.amount).toBe('213400');
  });

  it('count an old account with its age, and none under the lock', async () => {
    const others = [beside('b', 'Harbour hedge')];
    const { all, view } = await shown(others, [
      reading('b', feedOf(holds('USDT', '1'), { age: 252_000, failure: { ...refused, kind: 'offline' } })),
    ]);
    expect(view.rows[1]).toMatchObject({ status: 'stale', old: true, total: '1' });
    expect([view.total.complete, view.oldest?.name]).toEqual([true, 'Harbour hedge']);
    all.push('portfolio', { locked: true, readings: [] });
    expect(view.rows[1]).toMatchObject({ status: 'locked', account: null });
    expect(view.total).toMatchObject({ value: '104000', complete: false });
  });

  it('count an account once, though two connections have keys of it', async () => {
    const others = [
      beside('b', 'Second key'),
      beside('c', 'Elsewhere', { baseUrl: 'https://other.example' }),
      beside('d', 'Written otherwise', { baseUrl: `${SETTINGS.baseUrl.toUpperCase()}:443/` }),
    ];
    const { view } = await shown(others, [
      reading('b', feedOf(holds('USDT', '104000', '50391827'))),
      reading('c', feedOf(holds('USDT', '5', '50391827'))),
      reading('d', feedOf(holds('USDT', '104000', '50391827'))),
    ]);
    const names = view.rows.map(({ name, duplicateOf }) => [name, duplicateOf]);
    expect(Object.fromEntries(names)).toEqual({
      ...{ 'Meridian main': null, 'Second key': 'Meridian main' },
      ...{ Elsewhere: null, 'Written otherwise': 'Meridian main' },
    });
    expect(view.total).toMatchObject({ value: '104005', complete: true });
  });

  it('say that a balance is missing which no coin names', async () => {
    const unreadable = [{ record: 'asset', message: 'no coin', symbolId: null, raw: '{}' }];
    const { view } = await shown(
      [beside('b', 'Harbour hedge')],
      [reading('b', feedOf(holds('USDT', '1'), { unreadable }))],
    );
    expect(view.total).toMatchObject({ value: '104001', complete: false });
    expect(view.notIncluded).toEqual(['a balance of Harbour hedge']);
    expect(view.unrealisedWithout).toEqual(['Harbour hedge']);
    expect(view.rows.map(({ partial }) => partial)).toEqual([false, true]);
  });

  it('forget a reader’s figures when another one begins under its name', async () => {
    const { all, view } = await shown(
      [beside('b', 'Harbour hedge')],
      [reading('b', feedOf(holds('USDT', '1'), { serial: 9 }))],
    );
    const begun = feedOf(null, { serial: 0, age: null });
    all.push('portfolio', { locked: false, readings: [reading('b', begun)] });
    expect(view.rows[1]).toMatchObject({ status: 'loading', account: null });
  });

  it('store a typed rate with its time, and none in another unit', async () => {
    const { all, view } = await shown(
      [beside('b', 'Harbour hedge')],
      [reading('b', feedOf(holds('BTC', '2')))],
    );
    let stored: Settings = DEFAULT_SETTINGS;
    all.replies['settings.set'] = () => {
      const part = all.requests.findLast((one) => one.name === 'settings.set')!.input as Partial<Settings>;
      stored = { ...stored, ...part };
      return done(stored);
    };
    expect(view.total).toMatchObject({ value: '104000', leftOut: ['BTC'] });
    await view.setRate('BTC', '50000');
    expect(stored.portfolio).toEqual({ unit: 'USDT', rates: { BTC: { rate: '50000', at: NOW } } });
    expect(view.total).toMatchObject({ value: '204000', estimate: true, complete: true });
    expect(view.shareOf(view.rows[1]!)).toBe('0.4901960784');
    await view.setUnit('BTC');
    expect(stored.portfolio).toEqual({ unit: 'BTC', rates: {} });
    expect(view.total).toMatchObject({ value: '2', leftOut: ['USDT'] });
  });
});

describe('the change of an account’s equity', () => {
  const at = (ms: number, equity: string) => ({
    ...{ at: ms, equity },
    balance: '',
    available: '',
    profitUnreal: '',
  });

  it('is a share of its own first sample, also of one below 0', () => {
    expect(changesOf([at(1, '200'), at(2, '213.58')])).toEqual([
      { at: 1, share: '0' },
      { at: 2, share: '0.0679' },
    ]);
    expect(changesOf([at(1, '-50'), at(2, '-25')])[1]?.share).toBe('0.5');
  });

  it('is none from 0', () => {
    expect(changesOf([at(1, '0'), at(2, '5')])).toEqual([]);
    expect(changesOf([])).toEqual([]);
  });
  it('draws a change of more than 40 digits', () => {
    const points = changesOf([at(1, `0.${'0'.repeat(39)}1`), at(2, '5')]);
    const line = { id: 'a', name: 'A', points, change: points[1]!.share, old: false };
    const chart = comparisonChart([line], { now: 2, zone: 'UTC' }, {} as ChartColours);
    expect(chart.data.datasets[0]?.data[1]).toEqual({ x: 2, y: 5e42 });
  });
});
