/** Defines every file dialog of this app: title, folder and type. */
import { shell, type BrowserWindow } from 'electron';
import type { AppPorts } from '../bridge/app-handlers.ts';
import type { ExportPorts } from '../bridge/exports.ts';
import type { RecordPorts } from '../bridge/record-handlers.ts';
import type { BackupPorts } from '../backup/backups.ts';
import { folderPath, openPath, SAVED_FILE, savePath, type SaveDialog } from './dialogs.ts';

const CSV = { name: 'CSV', extensions: ['csv'] };
const JSON_FILE = { name: 'JSON', extensions: ['json'] };
const EXPORT: SaveDialog = { title: 'Export CSV', folder: 'downloads', filter: CSV };
const SQLITE = { name: 'SQLite database', extensions: ['sqlite'] };
const BACKUP: SaveDialog = {
  title: 'Back up the archive',
  folder: 'documents',
  filter: SQLITE,
};
const TAR_GZ = { name: 'Backup of everything', extensions: ['gz'] };
const EVERYTHING: SaveDialog = { title: 'Back up everything', folder: 'documents', filter: TAR_GZ };
const DIAGNOSTICS: SaveDialog = { title: 'Save diagnostics', folder: 'downloads', filter: JSON_FILE };
const CONNECTION: SaveDialog = { title: 'Export connection', folder: 'documents', filter: JSON_FILE };

type FileDialogs = Pick<ExportPorts, 'savePath' | 'openPath' | 'showFile'> &
  Pick<RecordPorts, 'backupPath' | 'openBackupPath'> &
  Pick<AppPorts, 'diagnosticsPath' | 'connectionPath' | 'openConnectionPath'> & {
    readonly exportFolder: () => Promise<string | null>;
    readonly everything: Pick<BackupPorts, 'savePath' | 'folderPath' | 'openPath'>;
    readonly savedPath: (kind: keyof typeof SAVED_FILE, suggested: string) => Promise<string | null>;
  };

export const createFileDialogs = (window: () => BrowserWindow | null): FileDialogs => ({
  savePath: (suggested) => savePath(window, EXPORT, suggested),
  savedPath: (kind, suggested) => savePath(window, SAVED_FILE[kind], suggested),
  openPath: () => openPath(window, 'Import trades', CSV),
  showFile: (path) => shell.showItemInFolder(path),
  backupPath: (suggested) => savePath(window, BACKUP, suggested),
  openBackupPath: () => openPath(window, 'Restore a backup', SQLITE),
  exportFolder: () => folderPath(window, 'Folder for exports'),
  everything: {
    savePath: (suggested) => savePath(window, EVERYTHING, suggested),
    folderPath: () => folderPath(window, 'Folder for backups'),
    openPath: () => openPath(window, 'Restore everything', TAR_GZ),
  },
  diagnosticsPath: (suggested) => savePath(window, DIAGNOSTICS, suggested),
  connectionPath: (suggested) => savePath(window, CONNECTION, suggested),
  openConnectionPath: () => openPath(window, 'Import a connection', JSON_FILE),
});
