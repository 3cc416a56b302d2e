/** Shows the window once its page is drawn, so the user never sees it empty. */
import type { BrowserWindow } from 'electron';
import type { Timers } from '../../src-shared/time.ts';

/** Shows the window anyway after this time: `ready-to-show` never fires for a page that draws nothing. */
const SHOWN_WITHIN_MS = 5_000;

type Shown = Pick<BrowserWindow, 'isDestroyed' | 'maximize' | 'show'> & {
  once(event: 'ready-to-show', listener: () => void): unknown;
};

/** Resolves when the page is drawn, or the time has passed. */
export async function showWhenDrawn(window: Shown, maximized: boolean, timers: Timers): Promise<void> {
  await new Promise<void>((drawn) => {
    window.once('ready-to-show', drawn);
    timers.after(SHOWN_WITHIN_MS, drawn);
  });
  if (window.isDestroyed()) return;
  if (maximized) window.maximize();
  window.show();
}
