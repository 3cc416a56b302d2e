import { render } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { expect, it } from 'vitest';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
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
