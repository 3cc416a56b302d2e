/** Reads the body of a request as text, with a size limit. */
import type { IncomingMessage } from 'node:http';
import { streamText } from '../../src-files/bounded-text.ts';

const MAX_BODY_BYTES = 1_048_576;

/** `null` when the body is too long or not UTF-8. Rejects when the client disconnects early. */
export async function readText(request: IncomingMessage): Promise<string | null> {
  const body = await streamText(request, MAX_BODY_BYTES);
  return 'text' in body ? body.text : null;
}
