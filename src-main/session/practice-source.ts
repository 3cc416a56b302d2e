/**
 * Locates the practice exchange: the app's own, started when first needed, or one started manually (`npm run practice
 * -- --json`) and passed in BALLAST_PRACTICE. Loopback only.
 */
import * as v from 'valibot';
import { practiceTermsSchema, type PracticeTerms } from '../../src-shared/ipc/practice.ts';
import type { ControlAccess } from '../practice/controls.ts';
import type { AppPractice } from '../practice/practice.ts';
import { PRACTICE_TERMS } from './stored.ts';

export interface PracticeAccess {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
  /** Null if the line does not contain them. */
  readonly controls: ControlAccess | null;
  /** Changes after a reset; data read before belongs to another exchange. */
  readonly exchangeId: string;
  /** Connection settings that match the exchange's habits. */
  readonly settings: PracticeTerms;
  /** Whether this app started it. */
  readonly own: boolean;
}

const loopback = v.pipe(
  v.string(),
  v.regex(/^http:\/\/127\.0\.0\.1:\d{1,5}$/, 'a practice exchange is on 127.0.0.1'),
);
const lineSchema = v.object({
  url: loopback,
  key: v.string(),
  secret: v.string(),
  controls: v.optional(v.object({ url: loopback, token: v.string() })),
  /** Present if not the defaults. */
  settings: v.optional(practiceTermsSchema),
});

/** Parses a printed line; null if empty. Throws if it is invalid. */
export function practiceLine(line: string | undefined): PracticeAccess | null {
  if (line === undefined || line === '') return null;
  const { controls = null, settings = PRACTICE_TERMS, ...rest } = v.parse(lineSchema, JSON.parse(line));
  // Its key is new at each start, as its account is.
  return { ...rest, controls, settings, exchangeId: rest.key.replace(/[^a-z0-9-]/g, ''), own: false };
}

export interface PracticeSource {
  access(): Promise<PracticeAccess>;
  /** Returns the last access, or null before the exchange was needed. */
  known(): PracticeAccess | null;
  /** Records a reset made through the controls. */
  renewed(exchangeId: string, settings: PracticeTerms): void;
  stop(): Promise<void>;
}

type Started = Omit<AppPractice, 'fresh' | 'movedAside'>;

/** Starts the app's own exchange at most once. */
export function practiceSource(given: PracticeAccess | null, start: () => Promise<Started>): PracticeSource {
  let running: Promise<Started> | null = null;
  let known: PracticeAccess | null = null;
  return {
    async access() {
      if (known === null && given !== null) known = given;
      if (known === null) {
        running ??= start();
        const { url, credentials, controls, exchangeId, settings } = await running;
        known ??= { url, ...credentials, controls, exchangeId, settings, own: true };
      }
      return known;
    },
    known: () => known,
    renewed(exchangeId, settings) {
      if (known !== null) known = { ...known, exchangeId, settings };
    },
    async stop() {
      await (await running)?.stop();
    },
  };
}
