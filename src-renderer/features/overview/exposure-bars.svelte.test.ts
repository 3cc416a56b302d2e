import { render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import type { Position } from '../../../src-shared/exchange-api/account.ts';
import { account, INVERSE, position } from '../../../tests/domain/order-samples.ts';
import { done } from '../../../src-shared/ipc/failures.ts';
import { fixture, settled } from '../../../tests/renderer/app-fixture.ts';
import { noFeeds } from '../../../tests/renderer/fake-bridge.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import ExposureBars from './ExposureBars.svelte';
import { exposuresOf } from './exposure.ts';
import type { AppState } from '../../state/app/app-state.svelte.ts';
import FirstLiquidation from './FirstLiquidation.svelte';

const drawn = (app: AppState) => {
  const exposures = exposuresOf(app.feeds.positions, app.feeds.contractBySymbol, app.specs.multiplier);
  return render(InApp, { app, component: ExposureBars, given: { exposures } });
};

async function shown(positions: readonly Position[]): Promise<string> {
  const { app, accountIs } = await fixture();
  accountIs(account(positions));
  const { container } = drawn(app);
  await settled();
  return container.textContent.replaceAll(/\s+/g, ' ');
}

it('says that nothing can be valued while the contracts cannot be read', async () => {
  const failure = { kind: 'rejected', message: 'Rejected.', next: '' } as const;
  const feeds = noFeeds('live-1');
  const { app, accountIs } = await fixture('live', {
    'feeds.get': () => done({ ...feeds, contracts: { ...feeds.contracts, failure } }),
  });
  accountIs(account([position()]));
  drawn(app);
  render(InApp, { app, component: FirstLiquidation });
  expect(screen.getByText('Not valued')).toBeTruthy();
  expect(screen.getByText('not known')).toBeTruthy();
});

it('says why each position that is left out has no value', async () => {
  const text = await shown([
    position({ positionId: '1' }),
    position({ positionId: '2', markPrice: null }),
    position({ positionId: '3', quantity: null }),
    position({ positionId: '4', symbolId: 'GONE-USDT-M' }),
  ]);
  expect(text).toContain('1 without a mark, 2 that cannot be calculated: not valued.');
});

it('shows a value of more digits than a received figure has', async () => {
  const quantity = '1'.repeat(30);
  const text = await shown([position({ quantity, markPrice: `1${'0'.repeat(20)}`, entryValue: '0' })]);
  expect(text).toContain(`≈ +11${',111'.repeat(9)},100${',000'.repeat(6)}`);
});

it('leaves the place to the bars: one unit is in the head, and a share beyond all reason has no digits', async () => {
  const text = await shown([position({ quantity: '1', markPrice: '614774770032641' })]);
  expect(text).toContain('Value, USDT');
  expect(text).toContain('≈ +1,229,549,540,065,282>100,000.0%');
});

it('shows no position as 0 beside a large one', async () => {
  const small = position({ symbolId: INVERSE.symbolId, quantity: '0.4', entryValue: '0', positionId: '2' });
  expect(await shown([position(), small])).toContain('BTC-USD-M≈ +0.40USD');
});
