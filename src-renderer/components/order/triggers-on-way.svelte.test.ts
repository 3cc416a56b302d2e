import { render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { account, position } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import TriggersOnWay from './TriggersOnWay.svelte';

const order = (kind: string, triggerPrice: string) => ({ kind, triggerPrice, quantity: '0.1' });
const held = position({
  markPrice: '97000',
  tpSlOrders: [order('STOP_LOSS', '94000'), order('STOP_LOSS', '93000'), order('TAKE_PROFIT', '99000')],
  tpSlSize: 3,
});

it.each([
  [['95000'], null],
  [['95000', '94000'], 'The stop loss of BTC-USDT-M at 94,000 triggers on the way. It is left out here.'],
  [['99500'], 'The take profit of BTC-USDT-M at 99,000 triggers on the way. It is left out here.'],
  [
    ['92000', '99500'],
    '3 take profit and stop loss orders of BTC-USDT-M trigger on the way. They are left out here.',
  ],
])('names what triggers before %o', async (prices, text) => {
  const { app, accountIs } = await fixture();
  accountIs(account([held]));
  render(InApp, { app, component: TriggersOnWay, given: { symbolId: 'BTC-USDT-M', prices } });
  expect(screen.queryByTestId('triggers-on-way')?.textContent.trim().replace(/\s+/g, ' ') ?? null).toBe(text);
});
