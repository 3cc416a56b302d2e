/**
 * Gives every test of the window's components the window of a first start. The modules of a worker, and with them the
 * window's settings, are shared by its test files; a test that changes them must not decide what the next one sees.
 */
import { beforeEach, vi } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src-shared/ipc/default-settings.ts';
import { shownAs } from '../../src-renderer/text/shown-as.svelte.ts';

beforeEach(() => {
  localStorage.clear();
  shownAs.value = DEFAULT_SETTINGS;
  shownAs.quoteCoins = new Set();
  // happy-dom implements neither modal dialogs nor the inertness they cause; e2e tests the real window.
  vi.spyOn(HTMLDialogElement.prototype, 'showModal').mockImplementation(function (this: HTMLDialogElement) {
    this.open = true;
  });
});
