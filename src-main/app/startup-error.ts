/** Shows a fatal startup error, such as an unusable profile folder, in a native dialog and exits. */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { app, dialog } from 'electron';
import { errorCode, errorName } from '../../src-files/error-code.ts';
import { removeSync } from '../../src-files/remove.ts';
import { RestoreInterrupted } from '../backup/place.ts';
import { PracticeLineError } from '../practice/exchange.ts';
import { profileFolder } from './app-identity.ts';
import { NewerFile } from './profile-files.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'It is not writable. Allow writing to this folder, then start Ballast again.',
  EPERM: 'It is not writable. Allow writing to this folder, then start Ballast again.',
  EROFS: 'It is on a read-only disk. Start Ballast with a folder on another disk.',
  ENOTDIR: 'A part of its path is a file. Move that file, then start Ballast again.',
  EEXIST: 'A file with this name exists. Move that file, then start Ballast again.',
  ENOSPC: 'The disk is full. Free up space, then start Ballast again.',
};

/** The same for one file or folder in it, such as one that another user owns. */
const FILE_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'You may not read or write it. Make yourself its owner, then start Ballast again.',
  EPERM: 'You may not read or write it. Make yourself its owner, then start Ballast again.',
  EBUSY: 'Another program holds it open. Close that program, then start Ballast again.',
  EEXIST: 'It is a file, not a folder. Move it elsewhere, then start Ballast again.',
  ENOTDIR: 'It is a file, not a folder. Move it elsewhere, then start Ballast again.',
};
const PROBE = '.probe';

/** Sets the profile folder. Returns false if it cannot be used; the app then shows the error and ends. */
export function useProfile(named: string | undefined): boolean {
  const switched = app.commandLine.hasSwitch('user-data-dir');
  const folder = profileFolder(named, { appData: app.getPath('appData'), switched });
  if (folder === null) return true;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    app.setPath('userData', folder);
    return true;
  } catch (error) {
    void startFailed(error, folder);
    return false;
  }
}

/** Throws the system's error if the folder is not writable: without its journal Ballast sends no order. */
export function assertUsable(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const probe = join(folder, PROBE);
  closeSync(openSync(probe, 'w', 0o600));
  removeSync(probe);
}

/** Shows the reason and ends the app. Waits until ready, since Linux shows no dialog before. */
export async function startFailed(error: unknown, folder = app.getPath('userData')): Promise<void> {
  await app.whenReady();
  dialog.showErrorBox('Ballast cannot start', reasonText(error, folder));
  app.exit(1);
}

function reasonText(error: unknown, folder: string): string {
  if (error instanceof RestoreInterrupted) return interruptedText(error, folder);
  if (error instanceof NewerFile)
    return `${error.path} was written by a newer version of Ballast. Start the newer version. Nothing was changed.`;
  if (error instanceof PracticeLineError)
    return `BALLAST_PRACTICE cannot be used. ${error.message} Set it to the line that “npm run practice -- --json” prints, or unset it.`;
  const code = errorCode(error);
  const path = pathIn(error, folder);
  if (path !== null && FILE_REASONS[code] !== undefined)
    return `${path} cannot be used. ${FILE_REASONS[code]}`;
  const why = REASONS[code];
  return why === undefined
    ? `An unexpected error occurred (${code || errorName(error)}). Ballast’s data is in ${folder}. Please report this message.`
    : `The profile folder ${folder} cannot be used. ${why}`;
}

/** Returns the file or folder in `folder` that the system's error is about; null for the folder itself. */
function pathIn(error: unknown, folder: string): string | null {
  if (!(error instanceof Error) || !('path' in error) || typeof error.path !== 'string') return null;
  const { path } = error;
  return dirname(path) === folder && basename(path) !== PROBE ? path : null;
}

const interruptedText = ({ code }: RestoreInterrupted, folder: string): string =>
  `A restore could not be finished (${code}). Free up disk space, close programs that use ${folder}, then start Ballast again: the restore continues. The files from before it are in a folder before-restore-… there.`;
