import { render } from '@testing-library/svelte';
import { expect, it, vi } from 'vitest';
import { fixture } from '../../tests/renderer/app-fixture.ts';
import InApp from '../../tests/renderer/InApp.svelte';
import Palette from './Palette.svelte';

it('leaves the next palette open when its own close event comes late', async () => {
  const { app } = await fixture();
  const given = { screens: [], onlock: vi.fn() };
  app.navigation.paletteOpen = true;
  const { container, unmount } = render(InApp, { app, component: Palette as never, given });
  const dialog = container.querySelector('dialog')!;
  dialog.dispatchEvent(new Event('close'));
  expect(app.navigation.paletteOpen).toBe(false);

  unmount();
  app.navigation.paletteOpen = true;
  dialog.dispatchEvent(new Event('close'));
  expect(app.navigation.paletteOpen).toBe(true);
});

it('is closed before the next key when Escape closes it: the close event comes later', async () => {
  const { app } = await fixture();
  app.navigation.paletteOpen = true;
  const given = { screens: [], onlock: vi.fn() };
  const { container } = render(InApp, { app, component: Palette as never, given });
  const dialog = container.querySelector('dialog')!;
  const closes = vi.spyOn(dialog, 'close').mockImplementation(() => undefined);
  const cancel = new Event('cancel', { cancelable: true });
  dialog.dispatchEvent(cancel);
  expect(app.navigation.paletteOpen).toBe(false);
  expect([closes.mock.calls.length, cancel.defaultPrevented]).toEqual([1, true]);
});
