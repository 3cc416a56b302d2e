import { render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { account, asset, LINEAR, position } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import FirstLiquidation from './FirstLiquidation.svelte';

it('is not known, rather than none, where a position cannot be counted', async () => {
  const { app, accountIs } = await fixture();
  accountIs(account([position({ symbolId: LINEAR.symbolId, quantity: null })], [asset({})]));
  render(InApp, { app, component: FirstLiquidation });
  expect(await screen.findByText('not known')).toBeDefined();
  expect(screen.queryByText('none')).toBeNull();
});
