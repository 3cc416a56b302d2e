import { render } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { nearestLiquidation } from '../../../src-shared/domain/position/metrics.ts';
import { position } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import NearestLiquidation from './NearestLiquidation.svelte';

it('is shown also where the mark is so low that the distance has more digits than a received figure', async () => {
  const { app } = await fixture();
  const nearest = nearestLiquidation([
    position({ markPrice: `0.${'0'.repeat(39)}1`, liquidPrice: '80', side: 'SELL' }),
  ]);
  const { container } = render(InApp, {
    app,
    component: NearestLiquidation as never,
    given: { ...nearest },
  });
  expect(container.textContent).toContain('BTC-USDT-M >1,000% from liquidation');
});
