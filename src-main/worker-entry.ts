/**
 * The file a worker thread starts from: always the built one, plain JavaScript, also when the main process runs from
 * its source. Node reads a TypeScript worker by WebAssembly, which V8 now and then aborts over (nodejs/node#64500).
 */
export const workerEntry = (
  name: 'archive-worker' | 'backup-worker' | 'keychain-process' | 'practice-worker',
): URL => new URL(`${import.meta.url.endsWith('.ts') ? '../out/main/' : './'}${name}.js`, import.meta.url);
