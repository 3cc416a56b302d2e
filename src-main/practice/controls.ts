/** Calls the practice exchange's control API: loopback only, with a token. It cannot reach a live exchange. */
import { request } from 'node:http';
import * as v from 'valibot';
import { type BoundedText, streamText } from '../../src-files/bounded-text.ts';
import { failed, done, type Result } from '../../src-shared/ipc/failures.ts';
import {
  practiceHabitsSchema,
  practiceStateSchema,
  type PracticeChange,
  type PracticeHabit,
  type PracticeState,
} from '../../src-shared/ipc/practice.ts';
import { parseJsonOrNull } from '../../src-shared/json.ts';

export interface ControlAccess {
  readonly url: string;
  readonly token: string;
}

const TIMEOUT_MS = 30_000;
/** Far above any reply of the exchange. */
const MAX_REPLY_BYTES = 4_000_000;

interface Control {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body: object;
}

function controlOf(change: PracticeChange): Control {
  switch (change.do) {
    case 'pace':
      return { method: 'POST', path: '/clock', body: { speed: change.speed } };
    case 'advance':
      return { method: 'POST', path: '/clock', body: { advanceMs: change.ms } };
    case 'clear-faults':
      return { method: 'DELETE', path: '/faults', body: {} };
    case 'fault': {
      const { do: _, ...rule } = change;
      return { method: 'POST', path: '/faults', body: rule };
    }
    case 'shock':
    case 'grant':
    case 'cancel':
    case 'reset': {
      const { do: path, ...body } = change;
      return { method: 'POST', path: `/${path}`, body };
    }
  }
}

/** Returns the state of the practice exchange. */
export const practiceState = (access: ControlAccess): Promise<Result<PracticeState>> =>
  readAs(practiceStateSchema, access, '/state');

/** Returns how the practice exchange decides what the exchange API leaves open. */
export const practiceHabits = (access: ControlAccess): Promise<Result<readonly PracticeHabit[]>> =>
  readAs(practiceHabitsSchema, access, '/habits');

async function readAs<S extends v.GenericSchema>(
  schema: S,
  access: ControlAccess,
  path: string,
): Promise<Result<v.InferOutput<S>>> {
  const result = await ask(access, 'GET', path, null);
  if (!result.ok) return result;
  const parsed = v.safeParse(schema, result.data);
  return parsed.success ? done(parsed.output) : failed(broken(parsed.issues[0].message));
}

/** Changes one setting and returns the new state. */
export async function changePractice(
  access: ControlAccess,
  change: PracticeChange,
): Promise<Result<PracticeState>> {
  const { method, path, body } = controlOf(change);
  const result = await ask(access, method, path, body);
  return result.ok ? practiceState(access) : result;
}

const broken = (what: string) => ({
  kind: 'bug' as const,
  message: `The practice exchange sent an unexpected reply: ${what.slice(0, 200)}`,
  next: 'Restart Ballast. Your practice account is not affected.',
});

function ask(
  access: ControlAccess,
  method: string,
  path: string,
  body: object | null,
): Promise<Result<unknown>> {
  const bytes = Buffer.from(body === null ? '' : JSON.stringify(body));
  return new Promise((resolve) => {
    const sent = request(
      access.url + path,
      {
        method,
        timeout: TIMEOUT_MS,
        headers: {
          authorization: `Bearer ${access.token}`,
          'content-type': 'application/json',
          // Set explicitly: Node does not frame the body of a DELETE.
          'content-length': bytes.length,
        },
      },
      (reply) => {
        void streamText(reply, MAX_REPLY_BYTES).then(
          (body) => resolve(read(reply.statusCode ?? 0, body)),
          () => resolve(failed(broken('an incomplete reply'))),
        );
      },
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () =>
      resolve(
        failed({
          kind: 'offline',
          message: 'The practice exchange is not responding.',
          next: 'Restart Ballast. Your practice account is not affected.',
        }),
      ),
    );
    sent.end(bytes);
  });
}

const rejectionSchema = v.object({ error: v.string() });

function read(status: number, body: BoundedText): Result<unknown> {
  if ('fault' in body)
    return failed(broken(body.fault === 'too-large' ? 'more than 4 MB' : 'text that is not UTF-8'));
  const value = parseJsonOrNull(body.text);
  if (value === null) return failed(broken('no JSON'));
  if (status === 200) return done(value);
  const rejection = v.safeParse(rejectionSchema, value);
  return failed({
    kind: 'rejected',
    message: `The practice exchange rejected the request: ${rejection.success ? rejection.output.error : `status ${status}`}.`,
    next: 'Correct the value and try again.',
  });
}
