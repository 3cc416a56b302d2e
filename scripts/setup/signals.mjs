const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
const here = {
  platform: process.platform,
  onTerminal: [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY),
};

/**
 * Whether a signal has to be forwarded to the child. A terminal sends its own (Ctrl C, its closing) to everything that
 * runs in it, and Electron takes a second one as “end at once”, with nothing written. On Windows a forwarded signal ends
 * the child at once, too.
 * @param {NodeJS.Signals} signal
 * @param {{ platform: NodeJS.Platform, onTerminal: boolean }} on
 */
export const isForChild = (signal, { platform, onTerminal } = here) =>
  signal === 'SIGTERM' || (platform !== 'win32' && !onTerminal);

/**
 * Forwards what ends this process to `child`. This process stays until the child has ended.
 * @param {import('node:child_process').ChildProcess} child
 */
export function forwardSignals(child) {
  for (const signal of SIGNALS)
    process.on(signal, () => {
      if (isForChild(signal)) child.kill(signal);
    });
}
