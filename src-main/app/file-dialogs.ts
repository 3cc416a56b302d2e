/** Opens the system's file dialogs, each with its title, folder and type. The page never names a path. */
import { join } from 'node:path';
import { app, dialog, shell } from 'electron';
import type { BrowserWindow, FileFilter, OpenDialogOptions, SaveDialogOptions } from 'electron';

/** Where a dialog opens, also for what was saved there: without a folder Electron opens each in Downloads. */
type Folder = 'downloads' | 'documents';
interface SaveDialog {
  readonly title: string;
  readonly folder: Folder;
  readonly filter: FileFilter;
}

const CSV = { name: 'CSV', extensions: ['csv'] };
const JSON_FILE = { name: 'JSON', extensions: ['json'] };
const SQLITE = { name: 'SQLite database', extensions: ['sqlite'] };
/** The name of an archive that was moved aside, or copied before its format changed, ends in why and when. */
const ANY = { name: 'All files', extensions: ['*'] };
const TAR_GZ = { name: 'Backup of everything', extensions: ['gz'] };
const EXPORT: SaveDialog = { title: 'Export CSV', folder: 'downloads', filter: CSV };
const BACKUP: SaveDialog = { title: 'Back up the archive', folder: 'documents', filter: SQLITE };
const EVERYTHING: SaveDialog = { title: 'Back up everything', folder: 'documents', filter: TAR_GZ };
const DIAGNOSTICS: SaveDialog = { title: 'Save diagnostics', folder: 'downloads', filter: JSON_FILE };
const CONNECTION: SaveDialog = { title: 'Export connection', folder: 'documents', filter: JSON_FILE };
/** Of the small files the window makes. */
const SAVED_FILE = {
  png: { title: 'Save picture', folder: 'downloads', filter: { name: 'PNG', extensions: ['png'] } },
  csv: { title: 'Save CSV', folder: 'downloads', filter: CSV },
} as const satisfies Record<string, SaveDialog>;

/** Each asks for a path, attached to the window if there is one; null if the user cancelled. */
export function createFileDialogs(window: () => BrowserWindow | null) {
  const save =
    ({ title, folder, filter }: SaveDialog) =>
    async (suggested: string): Promise<string | null> => {
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
    };
  const choose = (within: Folder, given: OpenDialogOptions) => async (): Promise<string | null> => {
    const options: OpenDialogOptions = { ...given, defaultPath: app.getPath(within) };
    const on = window();
    const result =
      on === null ? await dialog.showOpenDialog(options) : await dialog.showOpenDialog(on, options);
    return result.canceled ? null : (result.filePaths[0] ?? null);
  };
  const open = (title: string, filters: FileFilter[], within: Folder = 'documents') =>
    choose(within, { title, properties: ['openFile'], filters });
  const folder = (title: string) =>
    choose('documents', { title, properties: ['openDirectory', 'createDirectory'] });

  return {
    savePath: save(EXPORT),
    savedPath: (kind: keyof typeof SAVED_FILE, suggested: string) => save(SAVED_FILE[kind])(suggested),
    openPath: open('Import trades', [CSV], 'downloads'),
    showFile: (path: string): void => shell.showItemInFolder(path),
    backupPath: save(BACKUP),
    openBackupPath: open('Restore a backup', [SQLITE, ANY]),
    exportFolder: folder('Folder for exports'),
    everything: {
      savePath: save(EVERYTHING),
      folderPath: folder('Folder for backups'),
      openPath: open('Restore everything', [TAR_GZ]),
    },
    diagnosticsPath: save(DIAGNOSTICS),
    connectionPath: save(CONNECTION),
    openConnectionPath: open('Import a connection', [JSON_FILE]),
  };
}
