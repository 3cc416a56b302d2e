/** The window's first showing: once its page is drawn, so that nobody sees it empty. */
import type { BrowserWindow } from 'electron';

/**
 * A page that draws nothing for so long is shown as it is: `ready-to-show` comes with the first drawing, and never
 * without one, so that a start would be a process without a window.
 */
const SHOWN_WITHIN_MS = 5_000;

type Shown = Pick<BrowserWindow, 'isDestroyed' | 'maximize' | 'show'> & {
  once(event: 'ready-to-show', listener: () => void): unknown;
};

export function showWhenDrawn(
  window: Shown,
  maximized: boolean,
  timers: { after(ms: number, run: () => void): () => void },
): void {
  let shown = false;
  const show = (): void => {
    if (shown || window.isDestroyed()) return;
    shown = true;
    if (maximized) window.maximize();
    window.show();
  };
  window.once('ready-to-show', show);
  timers.after(SHOWN_WITHIN_MS, show);
}
