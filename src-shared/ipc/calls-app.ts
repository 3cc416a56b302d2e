/** The app itself across the bridge: logs, diagnostics, a connection as a file, what menu and system ask of the page. */
import { byConnection, call, nothing } from './call.ts';
import type { ConnectionSettings } from './connections.ts';
import type { Failure } from './failures.ts';
import type { UpdateState } from './updates.ts';

/** What the native menu asks the page to do: the page has these under its own keys too. */
export type MenuAction =
  'palette' | 'shortcuts' | 'settings' | 'whats-new' | 'about' | 'privacy' | 'ticket' | 'diagnostics';

/** Largest CSV the system may open with Ballast, bytes: 1,000 rows take a twentieth of it. */
export const MAX_OPENED_BYTES = 2_000_000;

/** A CSV the system opened with Ballast, read in the main process. */
export type OpenedFile =
  { readonly name: string; readonly text: string } | { readonly name: string; readonly failure: Failure };

/** A connection as a file says it: everything but key and secrets, which are entered by hand. */
export interface ImportedConnection {
  /** The file's name. */
  readonly name: string;
  readonly settings: ConnectionSettings;
}

/** A library that is part of this build, and the terms it is given under. */
export interface Licence {
  readonly name: string;
  readonly version: string;
  /** SPDX. */
  readonly licence: string;
  /** Its own licence file, whole. */
  readonly text: string;
}

export const APP_CALLS = {
  /** Shows the folder of the logs. */
  'app.showLogs': call(nothing).answers<null>(),
  /** Asks where to save; the path, or null when cancelled. */
  'app.saveDiagnostics': call(nothing).answers<string | null>(),
  /** Of everything that is shipped with Ballast, by name. */
  'app.licences': call(nothing).answers<readonly Licence[]>(),
  'updates.get': call(nothing).answers<UpdateState>(),
  /** Asks the place this build names, now. Refused while an order is on its way or unknown. */
  'updates.look': call(nothing).answers<UpdateState>(),
  /** Opens the page of releases in the browser; nothing is downloaded by the app. */
  'updates.openPage': call(nothing).answers<null>(),
  /** Without key and secrets. Asks where to save; the path, or null when cancelled. */
  'connections.export': call(byConnection).answers<string | null>(),
  /** Asks for a file; null when cancelled. Nothing is stored by it. */
  'connections.import': call(nothing).answers<ImportedConnection | null>(),
} as const;
