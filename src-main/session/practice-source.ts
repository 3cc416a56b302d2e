/**
 * Where the practice exchange is: the app's own, started at the first need, or one that was started by hand
 * (`npm run practice -- --json`), whose line is given in BALLAST_PRACTICE. Loopback only, like the exchange itself.
 */
import * as v from 'valibot';
import { practiceTermsSchema, type PracticeTerms } from '../../src-shared/ipc/practice.ts';
import { PRACTICE_TERMS } from './stored.ts';

interface ControlAccess {
  readonly url: string;
  readonly token: string;
}
export interface PracticeAccess {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
  /** Null when the line did not tell them. */
  readonly controls: ControlAccess | null;
  /** Another after a reset: what was read from the old exchange is not of the new one. */
  readonly exchangeId: string;
  /** What the connection to it is set to, by the habits of the exchange. */
  readonly settings: PracticeTerms;
  /** Started by this app, not by hand. */
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
  /** Told where they are not the usual ones. */
  settings: v.optional(practiceTermsSchema),
});

/** The access in a printed line, or null when there is none. Throws when the line is not one. */
export function practiceLine(line: string | undefined): PracticeAccess | null {
  if (line === undefined || line === '') return null;
  const { controls = null, settings = PRACTICE_TERMS, ...rest } = v.parse(lineSchema, JSON.parse(line));
  // Its key is made anew at each start, as its account is.
  return { ...rest, controls, settings, exchangeId: rest.key.replace(/[^a-z0-9-]/g, ''), own: false };
}

export interface PracticeSource {
  access(): Promise<PracticeAccess>;
  /** What `access` told last; null before the exchange was needed. */
  known(): PracticeAccess | null;
  /** After a reset by the controls. */
  renewed(exchangeId: string, settings: PracticeTerms): void;
  stop(): Promise<void>;
}

interface Started {
  readonly url: string;
  readonly credentials: { readonly key: string; readonly secret: string };
  readonly controls: ControlAccess;
  readonly exchangeId: string;
  readonly settings: PracticeTerms;
  stop(): Promise<void>;
}

/** Starts the app's own exchange once, however often it is asked for. */
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
