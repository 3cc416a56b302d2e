/** Serves the renderer under `app://bundle/` from a fixed list of files, each with the policy. */
import { readFile } from 'node:fs/promises';
import { protocol } from 'electron';
import type { ServedFile } from './files.ts';
import { CONTENT_SECURITY_POLICY, HOST, SCHEME } from './content-security-policy.ts';

/** Registers the scheme as standard and secure; must run before the app is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: false, codeCache: true } },
  ]);
}

export function serveFiles(files: ReadonlyMap<string, ServedFile>): void {
  protocol.handle(SCHEME, async (request) => {
    const url = new URL(request.url);
    const file = url.host === HOST && request.method === 'GET' ? files.get(url.pathname) : undefined;
    if (file === undefined) return new Response('Not found', { status: 404 });
    return new Response(await readFile(file.path), {
      headers: {
        'content-type': file.type,
        'content-security-policy': CONTENT_SECURITY_POLICY,
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
      },
    });
  });
}
