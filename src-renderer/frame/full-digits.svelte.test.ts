import { render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { flushSync } from 'svelte';
import { fixture } from '../../tests/renderer/app-fixture.ts';
import InApp from '../../tests/renderer/InApp.svelte';
import FullDigits from './FullDigits.svelte';

// happy-dom has no popovers.
const popover = { showPopover: vi.fn(), hidePopover: vi.fn() };
beforeEach(() => void Object.assign(HTMLElement.prototype, popover));
afterEach(() => {
  for (const name of Object.keys(popover)) Reflect.deleteProperty(HTMLElement.prototype, name);
});

it('shows the digits and the tags’ titles of a row that has the focus, not those of a whole pane', async () => {
  const { app } = await fixture();
  vi.spyOn(app.clock.time, 'after').mockImplementation((_, then) => {
    then();
    return () => {};
  });
  render(InApp, { app, component: FullDigits });
  const tip = screen.getByTestId('full-digits');
  const focusOn = (html: string): string => {
    const part = document.createElement('div');
    part.innerHTML = html;
    document.body.append(part);
    const [target] = part.children;
    if (!(target instanceof HTMLElement)) throw new Error('nothing to focus');
    target.focus();
    flushSync();
    const { textContent } = tip;
    part.remove();
    return textContent.trim();
  };
  const figure =
    '<dl><dt>Margin</dt><dd><span class="shown" title="1.234">1.23<i class="cut"></i></span></dd></dl>';
  expect(focusOn(`<div tabindex="0">${figure}</div>`)).toBe('Margin1.234');
  expect(popover.showPopover).toHaveBeenCalledOnce();
  const tag = '<span class="tag" title="Not every trade is stored.">GAP</span>';
  expect(focusOn(`<div tabindex="0">${tag}</div>`)).toBe('GAPNot every trade is stored.');
  expect(focusOn(`<section tabindex="-1">${figure}</section>`)).toBe('');
  // An opened group of trades has its trades below it; the details of a table's row repeat its figures.
  expect(focusOn(`<div tabindex="0" aria-expanded="true">${figure}</div>`)).toBe('Margin1.234');
});
