const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
const here = {
  platform: process.platform,
  onTerminal: [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY),
};

/**
 * Reports whether to forward a signal to the child. A terminal signals every process in it (Ctrl C, closing), and
 * Electron takes a second signal as “end at once” without saving. On Windows a forwarded signal kills the child.
 * @param {NodeJS.Signals} signal
 * @param {{ platform: NodeJS.Platform, onTerminal: boolean }} on
 */
export const isForChild = (signal, { platform, onTerminal } = here) =>
  signal === 'SIGTERM' || (platform !== 'win32' && !onTerminal);

/**
 * Forwards ending signals to `child`. This process stays until the child has ended.
 * @param {import('node:child_process').ChildProcess} child
 */
export function forwardSignals(child) {
  for (const signal of SIGNALS)
    process.on(signal, () => {
      if (isForChild(signal)) child.kill(signal);
    });
}
