/** Reads text of others, up to a size. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

export type TextFault = 'not-a-file' | 'too-large' | 'not-utf-8';
export type BoundedText = { readonly text: string } | { readonly fault: TextFault };

/** Reads a stream of bytes to its end, so that its sender can be answered. Rejects when the stream breaks off. */
export async function streamText(stream: AsyncIterable<unknown>, maxBytes: number): Promise<BoundedText> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    if (!Buffer.isBuffer(part)) throw new TypeError('the stream is not of bytes');
    size += part.length;
    if (size <= maxBytes) parts.push(part);
  }
  if (size > maxBytes) return { fault: 'too-large' };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)) };
  } catch (error) {
    if (error instanceof TypeError) return { fault: 'not-utf-8' };
    throw error;
  }
}

/** Reads a file that a user chose. Rejects when the system cannot read it. */
export async function fileText(path: string, maxBytes: number): Promise<BoundedText> {
  // Opening a pipe would wait for its writer, in a thread that files and DNS need.
  if (!(await stat(path)).isFile()) return { fault: 'not-a-file' };
  // Up to one byte more, which shows that it is larger.
  return streamText(createReadStream(path, { end: maxBytes }), maxBytes);
}
