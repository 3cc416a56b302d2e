/** A small signing client for tests, independent of the app's. */
import { createHmac } from 'node:crypto';
import { startPractice } from '../../src-practice/start.ts';
import type { Practice, PracticeOptions } from '../../src-practice/start.ts';
import { control } from './controls.ts';

export interface Envelope {
  code: string;
  msg: string;
  success: boolean;
  data: unknown;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  envelope: Envelope;
}

export interface Client {
  readonly practice: Practice;
  get(target: string): Promise<Answer>;
  post(target: string, body: string): Promise<Answer>;
  /** Sends any JSON value to the controls; throws when it is rejected. */
  control(method: string, path: string, input?: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

export const signed = (
  practice: Practice,
  method: string,
  target: string,
  body: string,
  timestamp = String(Date.now()),
): Record<string, string> => ({
  'X-API-KEY': practice.credentials.key,
  'X-TIMESTAMP': timestamp,
  'X-SIGNATURE': createHmac('sha256', practice.credentials.secret)
    .update(timestamp + method + target + body)
    .digest('hex'),
});

export async function send(
  practice: Practice,
  method: string,
  target: string,
  body: string,
  headers: Record<string, string>,
): Promise<Answer> {
  const response = await fetch(practice.url + target, { method, headers, ...(body === '' ? {} : { body }) });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  const envelope = isJson ? parsed(text) : NO_ENVELOPE;
  return { status: response.status, headers: response.headers, text, envelope };
}

const NO_ENVELOPE: Envelope = { code: '', msg: '', success: false, data: null };

function parsed(text: string): Envelope {
  try {
    return JSON.parse(text) as Envelope;
  } catch (error) {
    if (error instanceof SyntaxError) return NO_ENVELOPE;
    throw error;
  }
}

/** A practice exchange, by default with a manual clock. */
export async function startClient(options: PracticeOptions = {}): Promise<Client> {
  const practice = await startPractice({ seed: 7, speed: 0, ...options });
  const call = (method: string, target: string, body: string): Promise<Answer> =>
    send(practice, method, target, body, signed(practice, method, target, body));
  return {
    practice,
    get: (target) => call('GET', target, ''),
    post: (target, body) => call('POST', target, body),
    control: async (method, path, input) =>
      JSON.parse(await control(practice, method, path, input)) as unknown,
    stop: () => practice.stop(),
  };
}
