/** Implements the ports of the calls about the app itself. */
import type { BrowserWindow } from 'electron';
import { shell } from 'electron';
import type { AppPorts } from '../bridge/app-handlers.ts';
import { readLicences } from './licences.ts';
import { updateParts, type UpdateParts } from './update-deps.ts';
import { fileQuestions } from './file-questions.ts';
import { gatherDiagnostics, type Gathered } from './gather-diagnostics.ts';

interface Parts extends Gathered, UpdateParts {
  readonly window: () => BrowserWindow | null;
  readonly profile: (...parts: string[]) => string;
  /** Returns the base name of a connection's stored files. */
  readonly keptAs: (connectionId: string) => string;
}

export const appPorts = ({ window, profile, keptAs, ...parts }: Parts): AppPorts => ({
  ...fileQuestions(window),
  updates: updateParts(parts),
  licences: readLicences,
  showLogs: () => void shell.openPath(profile('logs')),
  diagnostics: () => gatherDiagnostics(parts),
  keptFiles: (id) => [
    ...['', '-wal', '-shm'].map((end) => profile('archive', `${keptAs(id)}.sqlite${end}`)),
    profile('alerts', `${keptAs(id)}.jsonl`),
  ],
  clock: parts.clock,
});
