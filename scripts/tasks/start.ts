// Starts the built app, or draws its window unseen where there is no display: `npm start`.
import { fileURLToPath } from 'node:url';
import { findElectron } from '../setup/electron.mjs';
import { hasDisplay, hasProgram } from '../setup/programs.mjs';
import { printLine } from '../setup/messages.mjs';
import { root, run } from './process.ts';
import { electronCommand, runOnSomeBus, withSomeBus } from './session.ts';
import { drawUnseen } from './unseen.ts';

const args = process.argv.slice(2);
/** Screenshots the Overview and exits, also where there is a display. */
const once = args.includes('--once');
/** Started again below, on a virtual display. */
const unseen = args.includes('--unseen');
const own = args.filter((one) => one !== '--once' && one !== '--unseen');

async function start(): Promise<number> {
  if (hasDisplay() && !once && !unseen) return runOnSomeBus(electronCommand(root, ...own));
  if (!hasDisplay()) printLine('! There is no display (DISPLAY is not set), so no window is shown.');
  // The stand-in draws without a display; Electron itself can't.
  if (!hasDisplay() && findElectron(root).real) {
    if (!hasProgram('xvfb-run')) {
      printLine(
        '✗ Electron needs a display. Install xvfb, which provides a virtual one, or start it in a desktop session.',
      );
      return 1;
    }
    const again = [process.execPath, fileURLToPath(import.meta.url), ...args, '--unseen'] as const;
    return run(['xvfb-run', '-a', '-s', '-screen 0 1440x900x24', ...again]);
  }
  return withSomeBus((env) => drawUnseen({ args: own, env, once }));
}

process.exitCode = await start();
