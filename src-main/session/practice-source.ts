/**
 * Where the practice exchange is: the app's own, started at the first need, or one that was started by hand
 * (`npm run practice -- --json`), whose line is given in BALLAST_PRACTICE. Loopback only, like the exchange itself.
 */
import * as v from 'valibot';

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
});

/** The access in a printed line, or null when there is none. Throws when the line is not one. */
export function practiceLine(line: string | undefined): PracticeAccess | null {
  if (line === undefined || line === '') return null;
  const { controls = null, ...rest } = v.parse(lineSchema, JSON.parse(line));
  // Its key is made anew at each start, as its account is.
  return { ...rest, controls, exchangeId: rest.key.replace(/[^a-z0-9-]/g, ''), own: false };
}

export interface PracticeSource {
  access(): Promise<PracticeAccess>;
  /** What `access` told last; null before the exchange was needed. */
  known(): PracticeAccess | null;
  /** After a reset by the controls. */
  renewed(exchangeId: string): void;
  stop(): Promise<void>;
}

interface Started {
  readonly url: string;
  readonly credentials: { readonly key: string; readonly secret: string };
  readonly controls: ControlAccess;
  readonly exchangeId: string;
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
        const { url, credentials, controls, exchangeId } = await running;
        known ??= { url, ...credentials, controls, exchangeId, own: true };
      }
      return known;
    },
    known: () => known,
    renewed(exchangeId) {
      if (known !== null) known = { ...known, exchangeId };
    },
    async stop() {
      await (await running)?.stop();
    },
  };
}
