// Starts and ends the one Chromium of this process.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { Connection } from './cdp.mjs';
import { chromiumFlags } from './flags.mjs';

// Debian's /usr/bin/chromium is a shell script that adds the user's flags and takes 30 ms, so the program itself
// comes first.
const PLACES = ['/usr/lib/chromium/chromium', '/usr/bin/chromium', '/usr/bin/google-chrome'];
/** Chromium without window drawing (Debian: chromium-headless-shell). It starts in two thirds of the time. */
const HEADLESS_SHELL = '/usr/lib/chromium/chromium-headless-shell';
const LAST_LINES_MS = 200;
const PROFILE_PREFIX = 'electron-standin-';

function findChromium(headless) {
  const named = process.env.BALLAST_STANDIN_CHROMIUM;
  const places = headless ? [HEADLESS_SHELL, ...PLACES] : PLACES;
  const found = named ?? places.find((place) => existsSync(place));
  if (!found) {
    throw new Error(
      'electron-standin needs Chromium: apt-get install chromium (or set BALLAST_STANDIN_CHROMIUM)',
    );
  }
  return found;
}

/** Removes profiles of killed runs; the name carries the pid of the run. */
function sweepProfiles() {
  for (const name of readdirSync(tmpdir())) {
    const pid = /^electron-standin-(\d+)-/.exec(name)?.[1];
    if (pid && !existsSync(`/proc/${pid}`)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

/**
 * Electron's windows have the window manager's frame, where Chromium draws its own. Saving and correcting typed
 * text is off.
 */
const PREFERENCES = {
  browser: { custom_chrome_frame: false, enable_spellchecking: false },
  credentials_enable_service: false,
  profile: { password_manager_enabled: false },
  autofill: { profile_enabled: false, credit_card_enabled: false },
};

function makeProfile() {
  const profile = mkdtempSync(join(tmpdir(), `${PROFILE_PREFIX}${process.pid}-`));
  mkdirSync(join(profile, 'Default'));
  writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify(PREFERENCES));
  return profile;
}

/**
 * Spawns Chromium and returns at once; `devtools` settles with its "DevTools listening" line. Closing the pipe ends
 * Chromium, so it can't outlive this process.
 */
export function launchChromium({ headless, debugPort, noSandbox, windowClass, switches }) {
  const profile = makeProfile();
  const program = findChromium(headless);
  const flags = chromiumFlags({ profile, headless, debugPort, noSandbox, windowClass, switches });
  // A group of its own: Ctrl-C in a terminal reaches only us, and the whole group can be ended at once.
  const child = spawn(program, flags, {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
    // Otherwise its crash reports' folder appears beside the user's own browser.
    env: { ...process.env, CHROME_CONFIG_HOME: profile },
  });
  const connection = new Connection(child.stdio[4], child.stdio[3]);
  let reportDevtools;
  const devtools = new Promise((resolve) => (reportDevtools = resolve));
  let noDisplay = false;
  createInterface({ input: child.stderr }).on('line', (line) => {
    noDisplay ||= line.includes('Missing X server');
    if (line.startsWith('DevTools listening on ')) reportDevtools(line);
    else if (process.env.BALLAST_STANDIN_VERBOSE === '1') process.stderr.write(`${line}\n`);
  });
  let gone = false;
  const exited = new Promise((resolve) => {
    child.once('error', (error) => {
      process.stderr.write(`electron-standin: ${program} did not start: ${error.message}\n`);
      gone = true;
      resolve();
    });
    child.once('exit', () => {
      gone = true;
      resolve();
    });
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  /** Resolves once it has ended: why, as far as it said. A helper that outlives it may keep its output open. */
  const reason = exited
    .then(() => Promise.race([closed, pauseFor(LAST_LINES_MS)]))
    .then(() => (noDisplay ? noDisplayText(process.env) : 'Chromium ended on its own'));
  sweepProfiles();

  /** Ends Chromium with all its children and removes its profile. */
  async function end() {
    if (!gone) killGroup(child.pid);
    await exited;
    removeProfile(profile);
  }

  /** Ends it synchronously, while the process is exiting. */
  function endNow() {
    if (!gone) killGroup(child.pid);
    removeProfile(profile);
  }

  return { connection, devtools, reason, end, endNow, program, profile, noSandbox };
}

const noDisplayText = ({ DISPLAY, XAUTHORITY }) =>
  `Chromium cannot open the display ${DISPLAY}: ${
    XAUTHORITY
      ? `start it, or allow access by the file that XAUTHORITY names (${XAUTHORITY})`
      : 'start it, or set XAUTHORITY to the file that allows access to it'
  }. BALLAST_STANDIN_HEADLESS=1 needs none.`;

// The profile is discarded, so nothing is lost; 60 ms quicker than a regular shutdown.
function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function removeProfile(profile) {
  // A dying helper can still write a file: retry a few times; the next start removes the rest.
  try {
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  } catch (error) {
    process.stderr.write(
      `electron-standin: ${profile} could not be removed (${error.code}); the next start removes it\n`,
    );
  }
}
