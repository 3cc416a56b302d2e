/** Defines the index of connections on disk. It contains no secrets, so a missing one is detected. */
import * as v from 'valibot';
import { connectionId } from '../../src-shared/ipc/call.ts';
import {
  connectionSettingsSchema,
  type ConnectionSettings,
  type ConnectionSummary,
  type SecretState,
} from '../../src-shared/ipc/connections.ts';
import type { PracticeTerms } from '../../src-shared/ipc/practice.ts';
import { SIGNING_PRESETS } from '../../src-shared/ipc/signing.ts';

export const PRACTICE_ID = 'practice';

const storedConnectionSchema = v.strictObject({
  id: connectionId,
  settings: connectionSettingsSchema,
  /** Whether a signed read succeeded with exactly these settings: `verified`, spelled as in files so far. */
  proven: v.boolean(),
  /** Whether trading was unlocked on it once. Connections stored without it were never locked at first. */
  unlocked: v.optional(v.boolean(), true),
  createdAt: v.number(),
});
export type StoredConnection = v.InferOutput<typeof storedConnectionSchema>;

const removedSchema = v.strictObject({
  id: connectionId,
  /** Whether its archive and its alerts are deleted, too. */
  archive: v.boolean(),
});
export type RemovedConnection = v.InferOutput<typeof removedSchema>;

export const storedSessionSchema = v.strictObject({
  version: v.literal(1),
  activeId: v.string(),
  connections: v.array(storedConnectionSchema),
  /** Removed connections with data that is still to be deleted, as after a kill. */
  removed: v.exactOptional(v.array(removedSchema)),
});
export type StoredSession = v.InferOutput<typeof storedSessionSchema>;

export const FIRST_SESSION: StoredSession = { version: 1, activeId: PRACTICE_ID, connections: [] };

/** Settings of the practice exchange with default habits. */
export const PRACTICE_TERMS: PracticeTerms = {
  triggerTypes: ['LAST_PRICE', 'MARK_PRICE'],
  convention: 'flat',
};

/** Returns the practice exchange's connection settings; its address changes at every start. */
export const practiceSettings = (
  baseUrl: string,
  apiKey: string,
  { triggerTypes, convention }: PracticeTerms = PRACTICE_TERMS,
): ConnectionSettings => ({
  name: 'Practice',
  baseUrl,
  apiKey,
  signing: SIGNING_PRESETS.practice.profile,
  pageUrl: null,
  triggerTypes: [...triggerTypes],
  refusalCodes: [],
  reverseQuantity: 'new-position',
  convention,
  readOnly: false,
});

/** Returns what the window shows of a connection. */
export const liveSummary = (
  { id, settings, proven, createdAt }: StoredConnection,
  secret: SecretState,
): ConnectionSummary => ({ id, kind: 'live', settings, secret, verified: proven, createdAt });

/** @param practice null before the exchange runs */
export const practiceSummary = (
  practice: { readonly url: string; readonly key: string; readonly settings?: PracticeTerms } | null,
): ConnectionSummary => ({
  id: PRACTICE_ID,
  kind: 'practice',
  settings: practiceSettings(
    practice?.url ?? 'http://127.0.0.1',
    practice?.key ?? 'practice',
    practice?.settings,
  ),
  secret: 'memory',
  verified: true,
  createdAt: 0,
});
