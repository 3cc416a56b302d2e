/**
 * Where the practice exchange is: the app's own, started at the first need, or one that was started by hand
 * (`npm run practice -- --json`), whose line is given in BALLAST_PRACTICE. Loopback only, like the exchange itself.
 */
import * as v from 'valibot';

export interface PracticeAccess {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
}

const lineSchema = v.object({
  url: v.pipe(v.string(), v.regex(/^http:\/\/127\.0\.0\.1:\d{1,5}$/, 'a practice exchange is on 127.0.0.1')),
  key: v.string(),
  secret: v.string(),
});

/** The access in a printed line, or null when there is none. Throws when the line is not one. */
export function practiceLine(line: string | undefined): PracticeAccess | null {
  if (line === undefined || line === '') return null;
  return v.parse(lineSchema, JSON.parse(line));
}

/** Starts the app's own exchange once, however often it is asked for. */
export function practiceSource(
  given: PracticeAccess | null,
  start: () => Promise<{ url: string; credentials: { key: string; secret: string }; stop(): Promise<void> }>,
): { access(): Promise<PracticeAccess>; stop(): Promise<void> } {
  let running: ReturnType<typeof start> | null = null;
  return {
    async access() {
      if (given !== null) return given;
      running ??= start();
      const { url, credentials } = await running;
      return { url, ...credentials };
    },
    async stop() {
      await (await running)?.stop();
    },
  };
}
