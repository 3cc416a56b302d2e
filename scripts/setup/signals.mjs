const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
const here = {
  platform: process.platform,
  onTerminal: [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY),
};

/**
 * Whether a signal that came here has to be handed on. A terminal sends its own (Ctrl C, its closing) to everything that
 * runs in it: a child that gets them twice does not end in order, since Electron takes the second as “now”. On Windows
 * handing on is ending at once.
 * @param {NodeJS.Signals} signal
 * @param {{ platform: NodeJS.Platform, onTerminal: boolean }} on
 */
export const isForChild = (signal, { platform, onTerminal } = here) =>
  signal === 'SIGTERM' || (platform !== 'win32' && !onTerminal);

/**
 * Hands on to `child` what ends this process. This process stays until the child has ended.
 * @param {import('node:child_process').ChildProcess} child
 */
export function forwardSignals(child) {
  for (const signal of SIGNALS)
    process.on(signal, () => {
      if (isForChild(signal)) child.kill(signal);
    });
}
