import { render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { flushSync } from 'svelte';
import { spokenOf } from '../../../tests/renderer/spoken.ts';
import { account, position } from '../../../tests/domain/order-samples.ts';
import Preview from './Preview.svelte';

it('marks what TP and SL would make as estimates, in one column as in two', async () => {
  const { app } = await fixture();
  app.navigation.symbol = 'BTC-USDT-M';
  Object.assign(app.ticket.fields, {
    ...{ price: '96000', size: '0.1', tpSlOn: true },
    ...{ tpTriggerType: 'MARK_PRICE', tpPrice: '99000', slTriggerType: 'MARK_PRICE', slPrice: '95000' },
  });
  for (const [wide, pane] of [
    [false, 'ticket-preview'],
    [true, 'ticket-wide-preview'],
  ] as const) {
    const { unmount } = render(InApp, { app, component: Preview, given: { wide } });
    const text = screen.getByTestId(pane).textContent.replaceAll(/\s+/g, ' ');
    expect(text).toMatch(/≈ \+29\d\.\d\d/);
    expect(text).toMatch(/≈ −10\d\.\d\d/);
    unmount();
  }
});

it.each([
  ['BTC-USDT-M', 'after fees'],
  ['BTC-USD-M', 'fees not known'],
])('says of reward and risk in %s whether fees are in them: %s', async (symbolId, text) => {
  const { app } = await fixture();
  app.navigation.symbol = symbolId;
  Object.assign(app.ticket.fields, {
    ...{ price: '96000', size: '100', tpSlOn: true },
    ...{ tpTriggerType: 'MARK_PRICE', tpPrice: '99000', slTriggerType: 'MARK_PRICE', slPrice: '95000' },
  });
  for (const wide of [false, true]) {
    const { container, unmount } = render(InApp, { app, component: Preview, given: { wide } });
    expect(container.textContent).toContain(`Reward : risk, ${text}`);
    unmount();
  }
});

it.each([
  ['flat', 'The maintenance rate goes from 0.50% to 1.50%, on the whole position.'],
  ['marginal', 'The maintenance rate goes from 0.50% to 1.50%.'],
] as const)('says of a higher tier what its rate is of: %s tiers', async (convention, text) => {
  const { app, push } = await fixture();
  const [one] = app.session.connections;
  const settings = { ...one!.settings, convention };
  push('session', { ...app.session.state!, connections: [{ ...one!, settings }] });
  app.navigation.symbol = 'BTC-USDT-M';
  Object.assign(app.ticket.fields, { price: '96000', size: '20' });
  render(InApp, { app, component: Preview, given: { wide: true } });
  expect(screen.getByTestId('ticket-wide-preview').textContent.replaceAll(/\s+/g, ' ')).toContain(text);
});

it('has a higher tier said once, while the mark changes what is left of the lower one', async () => {
  const { app, accountIs } = await fixture();
  app.navigation.symbol = 'BTC-USDT-M';
  Object.assign(app.ticket.fields, { type: 'MARKET', size: '20' });
  render(InApp, { app, component: Preview, given: { wide: true } });
  const seen = new Set<string>();
  const said = new Set<string>();
  for (const markPrice of ['96000', '96500']) {
    accountIs(account([position({ markPrice })]));
    flushSync();
    seen.add(screen.getByText(/would stay in tier/).textContent);
    said.add(spokenOf(screen.getByRole('alert')));
  }
  expect([seen.size, said.size]).toEqual([2, 1]);
});

it('says that one unit is taken as 1 coin where no record shows the multiplier, never on practice', async () => {
  const { app, push } = await fixture();
  const [one] = app.session.connections;
  const { container } = render(InApp, { app, component: Preview, given: { wide: false } });
  const remark = (symbolId: string, kind: 'live' | 'practice') => {
    app.navigation.symbol = symbolId;
    flushSync();
    Object.assign(app.ticket.fields, { price: '96000', size: '100' });
    push('session', { ...app.session.state!, connections: [{ ...one!, kind }] });
    flushSync();
    return /One unit is taken as 1 USD[^.]+\./.exec(container.textContent)?.[0];
  };
  expect(remark('BTC-USDT-M', 'live')).toBeUndefined();
  expect(remark('BTC-USD-M', 'live')).toBe(
    'One unit is taken as 1 USD: no position or fee shows the contract’s multiplier yet.',
  );
  expect(remark('BTC-USD-M', 'practice')).toBeUndefined();
});
