/** Implements the ports of the calls about the app itself. */
import type { BrowserWindow } from 'electron';
import { shell } from 'electron';
import type { AppPorts } from '../bridge/app-handlers.ts';
import type { LastAccounts } from '../session/last-accounts.ts';
import { readLicences } from './licences.ts';
import { updateDeps, type UpdateDeps } from './update-deps.ts';
import { fileQuestions } from './file-questions.ts';
import { gatherDiagnostics, type Gathered } from './gather-diagnostics.ts';

interface Deps extends Gathered, UpdateDeps {
  readonly window: () => BrowserWindow | null;
  readonly profile: (...parts: string[]) => string;
  /** Returns the base name of a connection's stored files. */
  readonly fileNameOf: (connectionId: string) => string;
  readonly lastAccounts: LastAccounts;
}

export const appPorts = ({ window, profile, fileNameOf, lastAccounts, ...deps }: Deps): AppPorts => ({
  ...fileQuestions(window),
  updates: updateDeps(deps),
  licences: readLicences,
  showLogs: () => void shell.openPath(profile('logs')),
  diagnostics: () => gatherDiagnostics(deps),
  connectionFiles: (id) => [
    ...['', '-wal', '-shm'].map((end) => profile('archive', `${fileNameOf(id)}.sqlite${end}`)),
    profile('alerts', `${fileNameOf(id)}.jsonl`),
  ],
  forgetAccount: (id) => lastAccounts.forget(id),
  clock: deps.clock,
});
