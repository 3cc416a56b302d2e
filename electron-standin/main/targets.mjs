// Tracks Chromium's pages. A page exists because a BrowserWindow requested it; any other is closed.
import { spawn } from 'node:child_process';
import { reportFault, runtime, windowClass } from './runtime.mjs';

/** Pages that Chromium attached before its reply to their creation arrived. */
const early = new Map();
/** Windows created under a display, whose target id is not known: the oldest gets the next new page. */
const waitingForAny = [];
let creating = 0;

const PAGES_ONLY = [{ type: 'page' }, { exclude: true }];

/** From here on every new page stays paused until it is wired. */
export async function watchTargets() {
  const { root } = runtime.chromium.connection;
  root.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    const page = { session: runtime.chromium.connection.session(sessionId), targetId: targetInfo.targetId };
    if (targetInfo.openerId !== undefined) return refuse(page);
    if (waitingForAny.length > 0) return waitingForAny.shift()(page);
    if (creating > 0) early.set(page.targetId, page);
    else refuse(page);
  });
  await root.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: true,
    flatten: true,
    filter: PAGES_ONLY,
  });
}

/** Closes a popup that escaped the guards in the page, or a window opened with Chromium's own shortcuts. */
function refuse({ session, targetId }) {
  process.stderr.write('electron-standin: closed a window that the app did not open\n');
  session.post('Runtime.runIfWaitingForDebugger');
  runtime.chromium.connection.root.post('Target.closeTarget', { targetId });
}

/** The address a window opens with before the app loads anything. Its name there is the only source of WM_CLASS. */
const openingAddress = () => `data:${windowClass().toLowerCase()}`;
export const isOpening = (url) => url === '' || url === 'about:blank' || url === openingAddress();

/** @returns the page of a new window: its session, paused, and its target id */
export async function createPage({ width, height, x, y }) {
  if (!runtime.headless) return createAppWindow();
  const { root } = runtime.chromium.connection;
  creating += 1;
  try {
    const { targetId } = await root.send('Target.createTarget', {
      url: 'about:blank',
      newWindow: true,
      width,
      height,
      ...(x === undefined ? {} : { left: x, top: y }),
    });
    const page = early.get(targetId);
    early.delete(targetId);
    return page;
  } finally {
    creating -= 1;
  }
}

// Only a command line can open a window without tabs and address bar. A second start with the same profile passes
// its command to the running Chromium and ends.
function createAppWindow() {
  const page = new Promise((resolve) => waitingForAny.push(resolve));
  const { profile, program, noSandbox } = runtime.chromium;
  const flags = [`--user-data-dir=${profile}`, `--app=${openingAddress()}`, '--no-first-run'];
  // Chromium's bars above a page (unsupported flags, missing keys) depend on the command line that opens the
  // window, not on the one that started Chromium (see AddInfoBarsIfNecessary).
  flags.push('--test-type');
  if (noSandbox) flags.push('--no-sandbox');
  const opener = spawn(program, flags, { stdio: 'ignore' });
  opener.once('error', reportFault);
  opener.unref();
  return page;
}
