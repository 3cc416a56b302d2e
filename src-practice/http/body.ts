/** The bytes of a request's body as text, with a limit. */
import type { IncomingMessage } from 'node:http';

export const MAX_BODY_BYTES = 1_048_576;

/** `null` when the body is too long or no UTF-8; rejects when the client goes away before its end. */
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
