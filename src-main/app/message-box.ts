/** Shows a native message box, for questions when the page may not respond. */
import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron';

export interface Question {
  readonly type: 'info' | 'warning' | 'error';
  readonly message: string;
  readonly detail: string;
  /** The first is the safe one, for Esc and Enter. */
  readonly buttons: readonly string[];
}

/** Returns the index of the chosen button. Rejects if no box can be shown. */
export async function askUser(
  window: BrowserWindow | null,
  { type, message, detail, buttons }: Question,
): Promise<number> {
  const options: MessageBoxOptions = {
    type,
    title: 'Ballast',
    message,
    detail,
    buttons: [...buttons],
    cancelId: 0,
    defaultId: 0,
    noLink: true,
  };
  const on = window === null || window.isDestroyed() ? null : window;
  // A question about a window in the tray, or a minimised one, would not be seen.
  if (on?.isMinimized() === true) on.restore();
  if (on?.isVisible() === false) on.show();
  const { response } =
    on === null ? await dialog.showMessageBox(options) : await dialog.showMessageBox(on, options);
  return response;
}
