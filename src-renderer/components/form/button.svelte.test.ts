import { render } from '@testing-library/svelte';
import { createRawSnippet, flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import Button from './Button.svelte';

it('keeps the focus while it is disabled by the work it started, and does nothing', async () => {
  const onclick = vi.fn();
  const props = { onclick, children: createRawSnippet(() => ({ render: () => '<span>Test</span>' })) };
  const { container, rerender } = render(Button, { ...props, disabled: false });
  const button = container.querySelector('button')!;
  const state = () => [button.disabled, button.getAttribute('aria-disabled')] as const;
  button.focus();
  button.click();
  await rerender({ ...props, disabled: true });
  expect([...state(), document.activeElement]).toEqual([false, 'true', button]);
  button.click();
  expect(onclick).toHaveBeenCalledOnce();

  await rerender({ ...props, disabled: false });
  expect(state()).toEqual([false, null]);
  button.click();
  expect(onclick).toHaveBeenCalledTimes(2);

  // Without the focus it is a disabled button like any other.
  await rerender({ ...props, disabled: true });
  button.blur();
  flushSync();
  expect(state()).toEqual([true, null]);
});
