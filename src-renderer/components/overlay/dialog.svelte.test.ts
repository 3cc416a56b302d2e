import { render } from '@testing-library/svelte';
import { createRawSnippet, flushSync } from 'svelte';
import { expect, it } from 'vitest';
import type { AlertRecord } from '../../../src-shared/ipc/alerts.ts';
import { NOW } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { spokenOf } from '../../../tests/renderer/spoken.ts';
import Dialog from './Dialog.svelte';

it.each([
  ['<section tabindex="-1"><input /></section>', 'section'],
  ['<table><tbody><tr><td><input /></td></tr><tr tabindex="0"></tr></tbody></table>', 'tr[tabindex]'],
  ['<h1 tabindex="-1"></h1><div><input /></div>', 'h1'],
])('gives the focus to what is around a part that is gone when it closes: %s', async (html, expected) => {
  const { app } = await fixture();
  const page = document.createElement('div');
  page.innerHTML = html;
  document.body.append(page);
  const field = page.querySelector('input');
  field?.focus();
  const children = createRawSnippet(() => ({ render: () => '<p>Filled</p>' }));
  const given = { title: 'Order', onclose: () => {}, children, footer: children };
  const { rerender } = render(InApp, { app, component: Dialog as never, given: { ...given, open: true } });
  (field?.closest('tr') ?? field)?.remove();
  await rerender({ given: { ...given, open: false } });
  expect(document.activeElement).toBe(page.querySelector(expected));
  page.remove();
});

const alert = (id: string, title: string): AlertRecord => ({
  ...{
    id,
    title,
    connectionId: 'live-1',
    rule: 'liquidation-danger',
    key: `liquidation-danger:${id}`,
    at: NOW,
  },
  ...{ text: 'Mark 95000.', link: {}, quiet: false, acknowledgedAt: null },
});

it('says an alert and a notice that come while it is open, not those from before', async () => {
  const { app, push } = await fixture();
  const fire = (id: string, title: string) =>
    push('alert', { do: 'raised', record: alert(id, title), notice: false, sound: false });
  fire('1', 'Before');
  const children = createRawSnippet(() => ({ render: () => '<p>Order</p>' }));
  const given = { open: true, title: 'Order', onclose: () => {}, children, footer: children };
  render(InApp, { app, component: Dialog as never, given });
  flushSync();
  const said = () => spokenOf(document.querySelector('dialog [role="log"]')!);
  expect(said()).toBe('');
  fire('2', 'BTC-USDT-M long: liquidation ≈ 2.1% away');
  app.notices.push('warn', 'Equity fell', 'From 100 to 80.');
  flushSync();
  expect(said()).toMatch(/^BTC-USDT-M long: liquidation ≈ 2\.1% away\. .*Equity fell\. From 100 to 80\.$/);
});

it('says none from before, or again, when a newer one leaves; and names another account', async () => {
  const { app, push } = await fixture();
  const [first, second] = ['First', 'Second'].map((title) => {
    app.notices.push('warn', title, 'Text.', true);
    return app.notices.list[0]!.id;
  });
  const children = createRawSnippet(() => ({ render: () => '<p>Order</p>' }));
  const given = { open: true, title: 'Order', onclose: () => {}, children, footer: children };
  render(InApp, { app, component: Dialog as never, given });
  flushSync();
  const said = () => spokenOf(document.querySelector('dialog [role="log"]')!);
  app.notices.dismiss(second!);
  flushSync();
  expect([first, said()]).toEqual([app.notices.list[0]?.id, '']);
  const state = app.session.state!;
  const [open] = state.connections;
  const beside = { ...open!, id: 'live-2', settings: { ...open!.settings, name: 'Harbour hedge' } };
  push('session', { ...state, connections: [open!, beside] });
  app.notices.push('warn', 'Equity fell', 'From 100 to 80.', true, 'live-2');
  flushSync();
  const node = document.querySelector('dialog [role="log"] > *');
  expect(said()).toBe('Harbour hedge: Equity fell. From 100 to 80.');
  app.notices.push('info', 'Saved', 'A file.');
  app.notices.dismiss(app.notices.list[0]!.id);
  flushSync();
  // The same element: a new one would be said again.
  expect(document.querySelector('dialog [role="log"] > *')).toBe(node);
});

it('leaves the focus on the page when it closes, if nothing had it', async () => {
  const { app } = await fixture();
  const table = document.createElement('table');
  table.innerHTML = '<tbody><tr tabindex="0"></tr></tbody>';
  document.body.append(table);
  const children = createRawSnippet(() => ({ render: () => '<p>Order</p>' }));
  const given = { title: 'Order', onclose: () => {}, children, footer: children };
  const { rerender } = render(InApp, { app, component: Dialog as never, given: { ...given, open: true } });
  await rerender({ given: { ...given, open: false } });
  expect(document.activeElement).toBe(document.body);
  table.remove();
});
