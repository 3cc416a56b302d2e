import { render } from '@testing-library/svelte';
import { expect, it, vi } from 'vitest';
import { account, position } from '../../../tests/domain/order-samples.ts';
import { feed } from '../../../tests/renderer/fake-bridge.ts';
import { fixture, settled } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import Balances from './Balances.svelte';
import MarginHealth from './MarginHealth.svelte';
import Overview from './Overview.svelte';

const unreadable = ['asset', 'position'].map((record) => ({
  record,
  message: `data.${record}s[0]: expected an object`,
  symbolId: null,
  raw: '7',
}));
const EMPTY = { ...account([]), assets: [] };

it.each([
  ['Balances', Balances, 'No balances', 'No balance can be read'],
  ['Margin health', MarginHealth, 'No cross positions', 'Margin health is not known'],
  ['Exposure', Overview, 'No open positions', '1 that cannot be calculated: not valued.'],
] as const)('%s claims nothing of records that cannot be read', async (_pane, component, none, unknown) => {
  vi.stubGlobal('requestIdleCallback', () => 0);
  vi.stubGlobal('cancelIdleCallback', () => undefined);
  const { app, push } = await fixture();
  const { container } = render(InApp, { app, component });
  const read = async (more: object): Promise<string> => {
    push('feed', { connectionId: 'live-1', name: 'account', feed: { ...feed(EMPTY, 9), ...more } });
    await settled();
    return container.textContent;
  };
  expect(await read({})).toContain(none);
  const text = await read({ unreadable });
  expect(text).toContain(unknown);
  expect(text).not.toContain(none);
});

it('Margin health does not say that no rate is reported where the coin’s record cannot be read', async () => {
  const { app, push } = await fixture();
  const { container } = render(InApp, { app, component: MarginHealth });
  const held = { ...account([position()]), assets: [] };
  push('feed', {
    connectionId: 'live-1',
    name: 'account',
    feed: { ...feed(held, 9), unreadable: unreadable.slice(0, 1) },
  });
  await settled();
  expect(container.textContent).toContain('Margin health is not known');
});
