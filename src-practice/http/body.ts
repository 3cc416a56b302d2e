/** Reads the body of a request as text, with a size limit. */
import type { IncomingMessage } from 'node:http';

const MAX_BODY_BYTES = 1_048_576;

/** `null` when the body is too long or not UTF-8. Rejects when the client disconnects early. */
export async function readText(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    if (!Buffer.isBuffer(part)) throw new TypeError('a request body is bytes');
    size += part.length;
    if (size <= MAX_BODY_BYTES) parts.push(part);
  }
  if (size > MAX_BODY_BYTES) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
