import { render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { cancelItem } from './cancel-item.ts';
import NoCancel from './NoCancel.svelte';

it('says where a live order is cancelled if the connection has no page of the exchange', async () => {
  const { app } = await fixture('live');
  expect(cancelItem(app, () => undefined)).toMatchObject({
    disabled: true,
    note: 'only on the exchange’s website',
  });
});

it('opens the page of the exchange that a live connection has', async () => {
  const { app, push, requests } = await fixture('live');
  const [one] = app.session.connections;
  const settings = { ...one!.settings, pageUrl: 'https://exchange.example/orders' };
  push('session', { ...app.session.state!, connections: [{ ...one!, settings }] });
  const item = cancelItem(app, () => undefined);
  expect(item.disabled).toBeUndefined();
  item.run();
  expect(requests.at(-1)).toEqual({ name: 'page.open', input: { connectionId: one!.id } });
});

it('says of practice how an order is cancelled: its menu has no button', async () => {
  const { app } = await fixture('practice');
  render(InApp, { app, component: NoCancel });
  expect(screen.getByText('On practice: right-click an order.')).toBeTruthy();
});
