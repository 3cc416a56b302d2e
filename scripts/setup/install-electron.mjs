// Runs Electron's own installer, which knows mirrors, cache and checksums, with its request watched: `node
// scripts/setup/install-electron.mjs INSTALLER`. A separate process, since loading the installer runs it and ends
// the process. Prints lines "progress RECEIVED TOTAL".
import { createRequire } from 'node:module';
import { watchedFetch } from './download.mjs';

const installer = process.argv[2];
if (installer === undefined) throw new Error('Usage: install-electron.mjs INSTALLER');

let reported = 0;
const watched = watchedFetch(globalThis.fetch, {
  timeoutMs: 15_000,
  silentForMs: 60_000,
  report(received, total) {
    if (total === null || (received - reported) / total < 0.01) return;
    reported = received;
    process.stdout.write(`progress ${received} ${total}\n`);
  },
});
globalThis.fetch = (url, options) => watched(String(url), options);
createRequire(import.meta.url)(installer);
