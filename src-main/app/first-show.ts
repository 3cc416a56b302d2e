/** Shows the window once its page is drawn, so the user never sees it empty. */
import type { BrowserWindow } from 'electron';
import type { Timers } from '../../src-shared/time.ts';

/** Shows the window anyway after this time: `ready-to-show` never fires for a page that draws nothing. */
const SHOWN_WITHIN_MS = 5_000;
/** The same, once the page is loaded, where a hidden window draws nothing. */
const DRAWN_WITHIN_MS = 250;

type Shown = Pick<BrowserWindow, 'isDestroyed' | 'maximize' | 'show'> & {
  once(event: 'ready-to-show', listener: () => void): unknown;
  readonly webContents: { once(event: 'did-finish-load', listener: () => void): unknown };
};

/** Reports whether a hidden window is drawn: not on Wayland (electron/electron#48859). */
export const isDrawnWhileHidden = (
  platform: NodeJS.Platform,
  env: Readonly<Partial<Record<'WAYLAND_DISPLAY', string>>>,
): boolean => platform !== 'linux' || (env.WAYLAND_DISPLAY ?? '') === '';

/** Resolves when the page is drawn, or the time for it has passed. */
export async function showWhenDrawn(
  window: Shown,
  maximized: boolean,
  timers: Timers,
  drawnWhileHidden: boolean,
): Promise<void> {
  await new Promise<void>((drawn) => {
    window.once('ready-to-show', drawn);
    if (!drawnWhileHidden)
      window.webContents.once('did-finish-load', () => timers.after(DRAWN_WITHIN_MS, drawn));
    timers.after(SHOWN_WITHIN_MS, drawn);
  });
  if (window.isDestroyed()) return;
  if (maximized) window.maximize();
  window.show();
}
