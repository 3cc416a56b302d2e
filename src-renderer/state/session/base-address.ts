import { baseAddress } from '../../../src-shared/ipc/connections.ts';

/** Returns the address that a base URL leads to, in one spelling; of what is no URL the text. */
export function addressOf(baseUrl: string): string {
  const url = URL.parse(baseUrl.trim());
  if (url === null) return baseUrl;
  const { origin, prefix } = baseAddress(url);
  return origin + prefix;
}
