/** Builds the components page apart from the app and serves it on loopback. */
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { build } from 'vite';
import { end, listen } from '../tests/shared/listening.ts';
import { ROOT } from './fixture.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

export interface ServedPage {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

export async function serveComponents(): Promise<ServedPage> {
  const outDir = join(ROOT, '.cache', 'components-page');
  await build({
    root: join(ROOT, 'src-renderer'),
    configFile: false,
    logLevel: 'error',
    plugins: [svelte({ configFile: join(ROOT, 'svelte.config.js') })],
    build: {
      outDir,
      emptyOutDir: true,
      rolldownOptions: { input: join(ROOT, 'src-renderer', 'dev', 'index.html') },
    },
  });
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://x').pathname);
    readFile(join(outDir, path)).then(
      (bytes) => {
        response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' });
        response.end(bytes);
      },
      () => response.writeHead(404).end(),
    );
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/dev/index.html`,
    stop: () => end(server),
  };
}
