import { expect, it } from 'vitest';
import { account, openOrder, position } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import { feed } from '../../../tests/renderer/fake-bridge.ts';
import { Risk } from './risk.svelte.ts';
import { WhatIf } from './what-if.svelte.ts';

it('has leverage and margin mode of the leg whose side is chosen', async () => {
  const { app, accountIs, push } = await fixture();
  const hedge = { positionMode: 'HEDGE' } as const;
  accountIs(account([position({ ...hedge, marginMode: 'CROSSED', leverage: 20 })]));
  const short = openOrder({ ...hedge, side: 'SELL', reduceOnly: false, marginMode: 'ISOLATED', leverage: 5 });
  push('feed', { connectionId: 'live-1', name: 'openOrders', feed: feed([short], 9) });
  const whatIf = new WhatIf(new Risk(app, () => null), app, app.ticket, app.riskInput);
  expect(whatIf.fields).toMatchObject({ side: 'BUY', leverage: '20', isolated: false });
  whatIf.type({ side: 'SELL' });
  expect(whatIf.fields).toMatchObject({ side: 'SELL', leverage: '5', isolated: true });
});
