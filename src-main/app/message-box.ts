/** The system's own message box, for what is asked while the page may not answer. */
import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron';

export interface Question {
  readonly type: 'info' | 'warning' | 'error';
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
  /** The button of Esc and Enter. */
  readonly harmless: number;
}

/** Index of the button. Rejects where the system has no one to ask. */
export async function askPerson(
  window: BrowserWindow | null,
  { type, message, detail, buttons, harmless }: Question,
): Promise<number> {
  const options: MessageBoxOptions = {
    type,
    title: 'Ballast',
    message,
    detail,
    buttons: [...buttons],
    cancelId: harmless,
    defaultId: harmless,
    noLink: true,
  };
  const on = window === null || window.isDestroyed() ? null : window;
  const { response } =
    on === null ? await dialog.showMessageBox(options) : await dialog.showMessageBox(on, options);
  return response;
}
