/**
 * Defines the calls about the app: logs, diagnostics, connection files, and requests of menu and system to the page.
 */
import * as v from 'valibot';
import type { Release } from '../domain/display/changelog.ts';
import { byConnection, call, nothing, whole } from './call.ts';
import type { ConnectionSettings } from './connections.ts';
import type { Failure } from './failures.ts';
import type { UpdateState } from './updates.ts';

/** Actions of the native menu; the page has its own shortcuts for them. */
export type MenuAction =
  'palette' | 'shortcuts' | 'settings' | 'whats-new' | 'about' | 'privacy' | 'ticket' | 'diagnostics';

/** A CSV the system opened with Ballast, read in the main process. */
export type OpenedFile =
  { readonly name: string; readonly text: string } | { readonly name: string; readonly failure: Failure };

/** A connection file's content, without key and secrets, which the user enters. */
export interface ImportedConnection {
  /** The file's name. */
  readonly name: string;
  readonly settings: ConnectionSettings;
}

/** A library in this build and its licence. */
export interface Licence {
  readonly name: string;
  readonly version: string;
  /** SPDX identifier. */
  readonly licence: string;
  /** Full text of its licence file. */
  readonly text: string;
}

export const APP_CALLS = {
  /**
   * Reports notes that are not saved, to the app that announced that it quits: at once, and when each was saved or could
   * not be.
   */
  'app.saved': call(v.strictObject({ unsaved: whole(0), isOver: v.boolean() })).returns<null>(),
  /** Opens the log folder. */
  'app.showLogs': call(nothing).returns<null>(),
  /** Asks where to save; returns the path, or null if cancelled. */
  'app.saveDiagnostics': call(nothing).returns<string | null>(),
  /** Licences of everything shipped with Ballast, by name. */
  'app.licences': call(nothing).returns<readonly Licence[]>(),
  /** What changed in each version, newest first. */
  'app.releases': call(nothing).returns<readonly Release[]>(),
  'updates.get': call(nothing).returns<UpdateState>(),
  /** Checks the address this build names. Blocked while an order is being sent or its outcome is unknown. */
  'updates.check': call(nothing).returns<UpdateState>(),
  /** Opens the releases page in the browser; the app downloads nothing. */
  'updates.openPage': call(nothing).returns<null>(),
  /** Exports without key and secrets. Asks where to save; returns the path, or null if cancelled. */
  'connections.export': call(byConnection).returns<string | null>(),
  /** Asks for a file; null if cancelled. Stores nothing. */
  'connections.import': call(nothing).returns<ImportedConnection | null>(),
} as const;
