/** Calls a practice exchange's controls, which are not part of the exchange API; returns the reply, as text. */
import type { Practice } from '../../src-practice/index.ts';

export async function control(
  { controls: { url, token } }: Pick<Practice, 'controls'>,
  method: string,
  path: string,
  input?: unknown,
): Promise<string> {
  const reply = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(input === undefined ? {} : { body: JSON.stringify(input) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${path}: ${text}`);
  return text;
}
