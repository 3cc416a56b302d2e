/** Opens the system's file dialogs, attached to the window if there is one. The page never names a path. */
import { join } from 'node:path';
import { app, dialog } from 'electron';
import type { BrowserWindow, FileFilter, OpenDialogOptions, SaveDialogOptions } from 'electron';

type Window = () => BrowserWindow | null;
export interface SaveDialog {
  readonly title: string;
  readonly folder: 'downloads' | 'documents';
  readonly filter: FileFilter;
}

/** Save dialogs of the small files the window makes. */
export const SAVED_FILE: Readonly<Record<'png' | 'csv', SaveDialog>> = {
  png: { title: 'Save picture', folder: 'downloads', filter: { name: 'PNG', extensions: ['png'] } },
  csv: { title: 'Save CSV', folder: 'downloads', filter: { name: 'CSV', extensions: ['csv'] } },
};

/** Asks where to save; null if the user cancelled. */
export async function savePath(
  window: Window,
  { title, folder, filter }: SaveDialog,
  suggested: string,
): Promise<string | null> {
  const options: SaveDialogOptions = {
    title,
    defaultPath: join(app.getPath(folder), suggested),
    filters: [filter],
    // On Linux the dialog overwrites silently without this; other systems always ask.
    properties: ['showOverwriteConfirmation'],
  };
  const on = window();
  const result =
    on === null ? await dialog.showSaveDialog(options) : await dialog.showSaveDialog(on, options);
  return result.canceled || result.filePath === '' ? null : result.filePath;
}

/** Asks for a file to open; null if the user cancelled. */
export const openPath = (window: Window, title: string, filter: FileFilter): Promise<string | null> =>
  chosenPath(window, { title, properties: ['openFile'], filters: [filter] });

/** Asks for a folder to write into; null if the user cancelled. */
export const folderPath = (window: Window, title: string): Promise<string | null> =>
  chosenPath(window, { title, properties: ['openDirectory', 'createDirectory'] });

async function chosenPath(window: Window, options: OpenDialogOptions): Promise<string | null> {
  const on = window();
  const result =
    on === null ? await dialog.showOpenDialog(options) : await dialog.showOpenDialog(on, options);
  return result.canceled ? null : (result.filePaths[0] ?? null);
}
