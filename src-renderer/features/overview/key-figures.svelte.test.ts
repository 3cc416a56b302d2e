import { render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { account, position } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { exposuresOf } from './exposure.ts';
import type { AppState } from '../../state/app/app-state.svelte.ts';
import KeyFigures from './KeyFigures.svelte';

const drawn = (app: AppState) => {
  const exposures = exposuresOf(app.feeds.positions, app.feeds.contractBySymbol, app.specs.multiplier);
  return render(InApp, { app, component: KeyFigures, given: { exposures } });
};

it('show the exposure of a position with as many digits as a quantity may have', async () => {
  const { app, accountIs } = await fixture();
  accountIs(account([position({ quantity: '9'.repeat(40) })]));
  drawn(app);
  expect(screen.getByLabelText('Key figures').textContent).toContain('Gross exposure');
});

it('name the positions that gross exposure lacks, and no multiple of equity then', async () => {
  const { app, accountIs } = await fixture();
  const strip = (): string => {
    const { container, unmount } = drawn(app);
    const text = container.textContent.replaceAll(/\s+/g, ' ');
    unmount();
    return text;
  };
  expect(strip()).toContain('held in USDT');
  accountIs(account([position(), position({ symbolId: 'XYZ-USDT-M', markPrice: null })]));
  expect(strip()).toContain('without 1 position');
  expect(strip()).not.toContain('held in USDT');
});

it('say that gross exposure is that of one unit where there are more', async () => {
  const { app, accountIs } = await fixture();
  accountIs(account([position()]));
  const label = (): string | undefined => {
    const { container, unmount } = drawn(app);
    const text = /Gross exposure[^≈]*/.exec(container.textContent)?.[0].trim();
    unmount();
    return text;
  };
  expect(label()).toBe('Gross exposure');
  accountIs(account([position(), position({ symbolId: 'BTC-USD-M', quantity: '700' })]));
  expect(label()).toBe('Gross exposure, USDT alone');
});

it('show an exposure below 100 with its decimals: it would be 0', async () => {
  const { app, accountIs } = await fixture();
  accountIs(account([position({ quantity: '0.000003' })]));
  drawn(app);
  expect(screen.getByLabelText('Key figures').textContent).toMatch(/Gross exposure\s*≈\s?0\.291/);
});

it.each([
  [
    'in another unit than the account’s',
    position({ symbolId: 'BTC-USD-M', quantity: '700' }),
    /≈\s?700\s?USD/,
  ],
  ['without a mark', position({ markPrice: null }), /not known/],
])('do not call an account flat that holds a position %s', async (_name, held, shown) => {
  const { app, accountIs } = await fixture('practice');
  accountIs(account([held]));
  drawn(app);
  const text = screen.getByLabelText('Key figures').textContent;
  expect(text).not.toContain('no open position');
  expect(text).toMatch(shown);
});
