/** Shows a fatal startup error, such as an unusable profile folder, in a native dialog and exits. */
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog } from 'electron';
import { profileFolder } from './app-identity.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'You may not write to it. Allow writing to this folder, then start Ballast again.',
  EPERM: 'You may not write to it. Allow writing to this folder, then start Ballast again.',
  EROFS: 'It is on a disk that can only be read. Start Ballast with a folder on another disk.',
  ENOTDIR: 'A part of its path is a file. Move that file elsewhere, then start Ballast again.',
  EEXIST: 'A file has its name. Move that file elsewhere, then start Ballast again.',
  ENOSPC: 'The disk is full. Make room, then start Ballast again.',
};

/** Sets the profile folder. Returns false after showing the error if it cannot be used. */
export function useProfile(named: string | undefined): boolean {
  const switched = app.commandLine.hasSwitch('user-data-dir');
  const folder = profileFolder(named, { appData: app.getPath('appData'), switched });
  if (folder === null) return true;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    app.setPath('userData', folder);
    return true;
  } catch (error) {
    showAndExit(error, folder);
    return false;
  }
}

/** Throws the system's error if the folder is not writable: without its journal Ballast sends no order. */
export function assertUsable(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const probe = join(folder, `.probe-${process.pid}`);
  closeSync(openSync(probe, 'w', 0o600));
  rmSync(probe);
}

/** Shows a later startup error. Waits until ready, since Linux shows no dialog before. */
export async function startFailed(error: unknown): Promise<void> {
  await app.whenReady();
  showAndExit(error);
}

/** Shows the reason and ends the app. */
function showAndExit(error: unknown, folder = app.getPath('userData')): void {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const why = REASONS[code];
  dialog.showErrorBox(
    'Ballast cannot start',
    why === undefined
      ? `Something it needs failed (${code || (error instanceof Error ? error.name : 'unknown')}). Its data is in ${folder}; nothing was changed. The log there may say more.`
      : `Its data is kept in ${folder}. ${why}`,
  );
  app.exit(1);
}
