import { render, screen } from '@testing-library/svelte';
import { beforeEach, expect, it, vi } from 'vitest';
import { account, asset, LINEAR, position } from '../../../tests/domain/order-samples.ts';
import { feed } from '../../../tests/renderer/fake-bridge.ts';
import { fixture, settled } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import ContractHead from '../ticket/ContractHead.svelte';
import Risk from './Risk.svelte';

beforeEach(() => {
  // The chart waits for it; happy-dom has none.
  vi.stubGlobal('requestIdleCallback', () => 0);
  vi.stubGlobal('cancelIdleCallback', () => undefined);
});

it.each([
  [1000, '1,000×'],
  [null, '—'],
])('writes a default leverage of %s', async (defaultLeverage, shown) => {
  const { app, push } = await fixture();
  const contracts = feed([{ ...LINEAR, defaultLeverage }], 9);
  push('feed', { connectionId: 'live-1', name: 'contracts', feed: contracts });
  app.navigation.symbol = 'BTC-USDT-M';
  const { container } = render(InApp, { app, component: Risk });
  await settled();
  expect(container.querySelector('[data-field="defaultLeverage"]')?.textContent).toBe(shown);
});

it.each([
  ['live', /^Leverage and margin mode are set on the exchange’s website/],
  ['practice', /^Leverage and margin mode are fixed on the practice exchange/],
] as const)('says how leverage is set on %s', async (kind, text) => {
  const { app } = await fixture(kind);
  app.navigation.symbol = 'BTC-USDT-M';
  render(InApp, { app, component: Risk });
  render(InApp, { app, component: ContractHead });
  await settled();
  expect(screen.getAllByTitle(text)).toHaveLength(2);
});

it.each([
  ['lists none', { riskLimitConfigs: [] }, 'No risk tiers', /^The exchange lists none/],
  [
    'lists some that cannot be read',
    { riskLimitConfigs: [], received: { riskLimitConfigs: '[{"level":1,"maxLeverage":"x"}]' } },
    'These tiers cannot be drawn',
    'They cannot be read: [{"level":1,"maxLeverage":"x"}]',
  ],
  [
    'lists some with a gap',
    { riskLimitConfigs: [LINEAR.riskLimitConfigs[0]!, LINEAR.riskLimitConfigs[2]!] },
    'These tiers cannot be drawn',
    /must equal 250000.*The exchange sent 2\.$/,
  ],
] as const)('says why there are no tiers where the exchange %s', async (_what, change, fact, reason) => {
  const { app, push } = await fixture();
  const contracts = feed([{ ...LINEAR, ...change }], 9);
  push('feed', { connectionId: 'live-1', name: 'contracts', feed: contracts });
  app.navigation.symbol = 'BTC-USDT-M';
  render(InApp, { app, component: Risk });
  await settled();
  expect(screen.getByText(fact)).toBeTruthy();
  expect(screen.getByText(reason)).toBeTruthy();
});

it('shows records of the configuration that cannot be read, which are in no list', async () => {
  const { app, push } = await fixture();
  const raw = '{"symbolId":"","contractType":"PERPETUAL"}';
  const unread = { record: 'contract', message: 'data[1].symbolId: expected text', symbolId: null, raw };
  const contracts = { ...feed([LINEAR], 9), unreadable: [unread] };
  push('feed', { connectionId: 'live-1', name: 'contracts', feed: contracts });
  render(InApp, { app, component: Risk });
  await settled();
  expect(screen.getByText('1 record of this list cannot be read')).toBeTruthy();
  expect(screen.getByText(raw)).toBeTruthy();
});

it('rounds the size that fills a tier down: one lot more is in the next tier', async () => {
  const { app } = await fixture();
  app.navigation.symbol = 'BTC-USDT-M';
  const { container } = render(InApp, { app, component: Risk });
  await settled();
  const tops = [...container.querySelectorAll('[data-field="riskLimitConfigs"] tbody tr')].map((row) =>
    row.children[6]?.textContent.trim(),
  );
  // 250,000, 1, 5 and 20 million ÷ 97,000; the last is 206.18556…
  expect(tops).toEqual(['≈\u20092.577', '≈\u200910.309', '≈\u200951.546', '≈\u2009206.185']);
});

it('names the price that a distance is measured from where there is no mark', async () => {
  const { app, accountIs } = await fixture();
  accountIs(account([position({ markPrice: null, lastPrice: null, profitUnreal: null })]));
  app.specs.setPrice('BTC-USDT-M', '96000');
  app.navigation.symbol = 'BTC-USDT-M';
  const { container } = render(InApp, { app, component: Risk });
  await settled();
  const figures = container.querySelector('[data-testid="what-if"]');
  expect(figures?.textContent).toContain('Distance from your price');
});

it.each([
  ['0.00', 'was none'],
  [null, 'was —'],
])('writes a reported liquidation price of %s beside the estimate', async (liquidPrice, shown) => {
  const { app, accountIs } = await fixture();
  accountIs(account([position({ liquidPrice })]));
  app.navigation.symbol = 'BTC-USDT-M';
  const { container } = render(InApp, { app, component: Risk });
  await settled();
  const [liquidation] = container.querySelectorAll('[data-testid="what-if"] > div');
  expect(liquidation?.textContent.replaceAll(/\s+/g, ' ')).toContain(shown);
});

it('displays a position whose value is beyond 40 digits of the top tier', async () => {
  const { app, accountIs } = await fixture();
  accountIs(account([position({ quantity: '9'.repeat(40), markPrice: '9'.repeat(40) })]));
  app.navigation.symbol = 'BTC-USDT-M';
  const { container } = render(InApp, { app, component: Risk });
  await settled();
  expect(container.querySelector('[data-field="riskLimitConfigs"]')?.textContent).toMatch(
    /≈ [\d,]{60,}.*% of top/,
  );
});

it('marks every figure of a price shock as an estimate, also those before it', async () => {
  const { app, accountIs } = await fixture();
  accountIs(account([position()], [asset({ equities: '104000.01' })]));
  app.riskInput.open('shock');
  const { container } = render(InApp, { app, component: Risk });
  await settled();
  const text = container.querySelector('[data-testid="shock-figures"]')?.textContent.replaceAll(/\s/g, '');
  // The sum of Ballast's own PnL is not what the exchange reports.
  expect(text).toContain('of≈104,000.00USDTequity');
  expect(text).toMatch(/Marginratio,cross≈[\d.]+%→≈[\d.]+%/);
});

it('says that a price shock values no position, and how many it does not value', async () => {
  const { app, accountIs } = await fixture();
  const gone = position({ symbolId: 'GONE-USDT-M', positionId: '2', marginMode: 'ISOLATED' });
  accountIs(account([gone], [asset({ balance: '104000' })]));
  app.riskInput.open('shock');
  const { container } = render(InApp, { app, component: Risk });
  await settled();
  const text = (id: string): string | undefined =>
    container.querySelector(`[data-testid="${id}"]`)?.textContent.replaceAll(/\s+/g, ' ');
  expect(text('account-shock')).toContain('No position can be valued');
  expect(text('shock-figures')).toBeUndefined();
  expect(text('shock-total')).toContain('0 of 1 valued');
  expect(text('shock-total')).toMatch(/—\s*$/);

  accountIs(account([position(), gone], [asset({ balance: '104000' })]));
  await settled();
  expect(text('shock-figures')).toContain(', 1 not valued');
});
