import { spawn } from 'node:child_process';
import { hasProgram } from './programs.mjs';

/**
 * Starts a D-Bus session of our own. dbus-run-session dies of a signal without passing it on, and leaves its child
 * behind.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ address: string, stop: () => void }>} rejects when the daemon can't start
 */
export function startBus(env) {
  const daemon = spawn('dbus-daemon', ['--session', '--nofork', '--nopidfile', '--print-address=1'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // It reports each service it starts; only a failed start is printed.
  let output = '';
  daemon.stderr.setEncoding('utf8').on('data', (text) => (output = (output + text).slice(-4000)));
  return new Promise((resolve, reject) => {
    daemon.on('error', reject);
    daemon.on('exit', (code) => reject(new Error(`dbus-daemon ended with ${code}: ${output}`)));
    let address = '';
    daemon.stdout.setEncoding('utf8').on('data', (text) => {
      address += text;
      if (address.includes('\n')) resolve({ address: address.trim(), stop: () => void daemon.kill() });
    });
  });
}

/** @returns {boolean} whether desktop services of this system use a bus that we could start */
export const canStartBus = () => process.platform === 'linux' && hasProgram('dbus-daemon');
